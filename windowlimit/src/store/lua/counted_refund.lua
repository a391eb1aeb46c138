-- Gives units back to the segment that they were admitted in, in every field, as long as they count for one of them.
--
-- KEYS  the window
-- ARGV  1 cost; 2 instant, or -1 for the server's time; 3 unused; 4 the instant of the admission
-- Returns 1, or 0 if nothing was given back.
local key, cost, now, at = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local given = 0
local stored = redis.call('HGETALL', key)
for i = 1, #stored, 2 do
  local window, length = string.match(stored[i], '^(%d+)/(%d+)$')
  local value = stored[i + 1]
  for place = 1, #value, 16 do
    local counted_at, units = struct.unpack('>I8I8', value, place)
    local is_it
    if tonumber(length) == 0 then
      is_it = counted_at <= at
    else
      is_it = counted_at == (math.floor(at / length) + 1) * length
    end
    if is_it and units >= cost and counted_at + window > now then
      value = value:sub(1, place - 1) .. struct.pack('>I8I8', counted_at, units - cost) .. value:sub(place + 16)
      redis.call('HSET', key, stored[i], value)
      given = 1
      break
    end
  end
end
return given

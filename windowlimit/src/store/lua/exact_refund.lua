-- Gives units back: records of this very instant, if there are as many. Records of one instant are as good as each other.
--
-- KEYS  the log
-- ARGV  1 cost; 2 instant, or -1 for the server's time; 3 the longest window; 4 the instant of the admission
-- Returns 1, or 0 if nothing was given back.
local key, cost, now, at = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if at + ARGV[3] <= now then
  return 0
end
local length = redis.call('STRLEN', key) / 8
local earlier, found = -1, length
while found - earlier > 1 do
  local middle = math.floor((earlier + found) / 2)
  local record = redis.call('GETRANGE', key, middle * 8, middle * 8 + 7)
  if #record == 8 and struct.unpack('>I8', record) >= at then found = middle else earlier = middle end
end
if redis.call('GETRANGE', key, found * 8, (found + cost) * 8 - 1) ~= string.rep(struct.pack('>I8', at), cost) then
  return 0
end
if length == cost then
  redis.call('UNLINK', key)
  return 1
end
local before = found > 0 and redis.call('GETRANGE', key, 0, found * 8 - 1) or ''
local after = found + cost < length and redis.call('GETRANGE', key, (found + cost) * 8, -1) or ''
redis.call('SET', key, before .. after, 'KEEPTTL')
return 1

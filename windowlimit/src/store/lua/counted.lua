-- One decision of a segmented or a fixed window. It is a hash: a field for each pair of window and length of a segment,
-- that holds pairs of numbers in big-endian, oldest first: the end of a segment, and the units admitted in it. Of a fixed
-- window, which has the length 0, there is one: its start, and its units. Fields of other lengths, by which other
-- processes decide, count every admission too.
--
-- KEYS  the window
-- ARGV  1 cost; 2 instant, or -1 for the server's time; 3 time to live in ms; 4 what exact.lua has there; from 5 on, three for each limit: units, window, length of a segment.
--       Times are in microseconds.
-- Returns what exact.lua does.
local key, cost, now, mode = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[4]
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local reading = now

local function row(field, value)
  local window, length = string.match(field, '^(%d+)/(%d+)$')
  local made = { field = field, window = tonumber(window), length = tonumber(length), units = {} }
  for i = 1, #value, 16 do
    local at, units = struct.unpack('>I8I8', value, i)
    made.units[#made.units + 1] = { at = at, units = units }
  end
  return made
end

-- The end of the segment of this instant; of a fixed window, the instant.
local function mark(made, at)
  if made.length == 0 then
    return at
  end
  return (math.floor(at / made.length) + 1) * made.length
end

local rows, longest, is_new = {}, nil, true
local stored = redis.call('HGETALL', key)
for i = 1, #stored, 2 do
  local made = row(stored[i], stored[i + 1])
  rows[made.field], is_new = made, false
  if not longest or made.window > longest.window then
    longest = made
  end
  -- A clock that went back says nothing: it is as late as the newest segment begins. If it went back by more than two
  -- windows, waiting for it would be an outage: what it said before is void.
  local newest = made.units[#made.units]
  local begins = newest and newest.at - made.length or 0
  if begins - reading > 2 * made.window then
    if mode ~= '3' then
      redis.call('UNLINK', key)
    end
    rows, longest, is_new, now = {}, nil, true, reading
    break
  end
  now = math.max(now, begins)
end

local own = {}
for i = 5, #ARGV, 3 do
  local field = ARGV[i + 1] .. '/' .. ARGV[i + 2]
  local made = rows[field]
  if not made then
    made = row(field, '')
    -- What is known of a unit is the end of its segment, or now: it cannot have come later.
    for _, known in ipairs(longest and longest.units or {}) do
      if known.at + longest.window > now then
        local at = longest.length == 0 and known.at or math.min(now, known.at - 1)
        made.units[#made.units + 1] = { at = mark(made, at), units = known.units }
      end
    end
    rows[field] = made
  end
  own[#own + 1] = { row = made, limit = tonumber(ARGV[i]) }
end

local function live(made)
  local sum, first = 0, nil
  for _, counted in ipairs(made.units) do
    if counted.units > 0 and counted.at + made.window > now then
      sum, first = sum + counted.units, first or counted.at + made.window
    end
  end
  return sum, first or reading
end

local told
if mode ~= '2' then
  local wait, by = 0, 0
  for i, each in ipairs(own) do
    local over = live(each.row) + cost - each.limit
    for _, counted in ipairs(each.row.units) do
      local leaves = counted.at + each.row.window
      if over > 0 and leaves > now then
        over = over - counted.units
        if over <= 0 and leaves - reading > wait then
          wait, by = leaves - reading, i - 1
        end
      end
    end
  end
  if wait > 0 then
    told = { wait, by }
    if mode < '4' then
      return told
    end
  elseif mode == '3' then
    return 0
  elseif cost > 0 then
    local keep = {}
    for _, each in ipairs(own) do
      keep[each.row.field] = true
    end
    for field, made in pairs(rows) do
      local kept = {}
      for _, counted in ipairs(made.units) do
        if counted.at + made.window > now then
          kept[#kept + 1] = counted
        end
      end
      if #kept == 0 and not keep[field] then
        redis.call('HDEL', key, field)
      else
        local newest, at = kept[#kept], mark(made, now)
        if newest and (made.length == 0 or newest.at == at) then
          newest.units = newest.units + cost
        else
          kept[#kept + 1] = { at = at, units = cost }
        end
        made.units = kept
        local packed = {}
        for i, counted in ipairs(kept) do
          packed[i] = struct.pack('>I8I8', counted.at, counted.units)
        end
        redis.call('HSET', key, field, table.concat(packed))
      end
    end
    if is_new or redis.call('PTTL', key) < tonumber(ARGV[3]) then
      redis.call('PEXPIRE', key, ARGV[3])
    end
  end
  if mode == '0' or mode == '4' and not told then
    return 0
  end
end

told = told or { 0, now }
for _, each in ipairs(own) do
  local units, leaves = live(each.row)
  told[#told + 1] = units
  told[#told + 1] = leaves - reading
end
return told

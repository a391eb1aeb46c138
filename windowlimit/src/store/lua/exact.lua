-- One decision of an exact window. The window is a log in one string: eight bytes an admitted unit, oldest first, each the
-- instant in microseconds, big-endian. With L the limit and n the cost, the record L - n + 1 places from the end, if there
-- is one, has to be W old. Position decides, so equal instants are harmless, and neither limit nor window is stored.
-- Where several windows decide together, each is first asked in the mode 3: it decides, and writes nothing.
--
-- KEYS  the log
-- ARGV  1 cost; 2 instant, or -1 for the server's time; 3 time to live in ms; 4 0 decide, 1 decide and tell what an
--       admission leaves, 4 decide and tell what a refusal found, 5 both, 2 only tell; 5 the longest window; from 6 on, three for each limit: where its record begins and ends, counted from
--       the end of the log, and its window. Times are in microseconds.
--       Or in short, since each argument takes the server a fifth of what an append does: 1 to 3 for the one limit; 4 time
--       to live; 5 instant, or nothing for the server's time. Then the cost is 1, and it decides.
-- Returns the time to wait (0 admits), alone or as { wait, place of the limit that waits longest }; what is left, as
--       { 0, instant, and for each limit: live units, time until the oldest of them leaves }; or both, as
--       { wait, place, and for each limit the same }.
local call, key = redis.call, KEYS[1]
local cost, now, lives, mode, longest, first, last = 1, ARGV[5], ARGV[4], '0', ARGV[3], 1, 1
if ARGV[6] then
  cost, now, lives, mode, longest, first, last = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5], 6, #ARGV
end
if now and now ~= '-1' then
  now = tonumber(now)
else
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end

local told
if mode ~= '2' then
  local wait, by = 0, 0
  for i = first, last, 3 do
    local record = call('GETRANGE', key, ARGV[i], ARGV[i + 1])
    -- Where the log is shorter than that, something shorter comes back.
    if #record == 8 then
      local at = struct.unpack('>I8', record)
      local left = at + ARGV[i + 2] - now
      if left > 0 and at - now > 2 * longest then
        -- No text and no other program's numbers are as small as an instant.
        if at > 9007199254740992 then
          return redis.error_reply('NOTOURS the key holds something that is no window')
        end
        -- The clock went back so far that waiting for it would be an outage: what it said before is void.
        if mode ~= '3' then
          call('UNLINK', key)
        end
        wait = 0
        break
      end
      if left > wait then
        wait, by = left, (i - first) / 3
      end
    end
  end
  if wait > 0 then
    if mode > '3' then
      told = { wait, by }
    elseif last - first < 3 then
      return wait
    else
      return { wait, by }
    end
  elseif mode == '3' then
    -- What an append would find out: other windows may be written before this one.
    if call('STRLEN', key) % 8 ~= 0 then
      return redis.error_reply('NOTOURS the key holds something that is no window')
    end
    return 0
  elseif cost > 0 then
    local records = struct.pack('>I8', now)
    if cost > 1 then
      records = string.rep(records, cost)
    end
    local length = call('APPEND', key, records)
    if length == #records then
      call('PEXPIRE', key, lives)
    elseif length % 8 ~= 0 then
      call('SET', key, call('GETRANGE', key, 0, -1 - #records), 'KEEPTTL')
      return redis.error_reply('NOTOURS the key holds something that is no window')
    elseif redis.REDIS_VERSION_NUM then
      -- Never sooner: another process may have a longer window under this name.
      call('PEXPIRE', key, lives, 'GT')
    elseif call('PTTL', key) < tonumber(lives) then
      call('PEXPIRE', key, lives)
    end
    -- The log is looked over each time that it has grown by an eighth of a power of two, which is by a multiple of four
    -- records. When a third of it has left the window, that is cut off: so it is never twice as long as what is live, and
    -- the cut costs each admission little.
    if length >= 256 and (cost > 1 or length % 32 == 0) then
      length = length / 8
      local _, exponent = math.frexp(length)
      if length % 2 ^ (exponent - 4) < cost then
        local expired, newest = math.floor(length / 3), length
        local function at(place)
          return struct.unpack('>I8', call('GETRANGE', key, place * 8, place * 8 + 7))
        end
        if at(expired) + longest <= now then
          -- `expired` has left, `newest` has not: the first that has not lies after the one and up to the other.
          while newest - expired > 1 do
            local middle = math.floor((expired + newest) / 2)
            if at(middle) + longest <= now then expired = middle else newest = middle end
          end
          call('SET', key, call('GETRANGE', key, newest * 8, -1), 'KEEPTTL')
        end
      end
    end
  end
  if mode == '0' or mode == '4' and not told then
    return 0
  end
end

local length = call('STRLEN', key) / 8
told = told or { 0, now }
for i = first, last, 3 do
  -- `expired` has left, or lies before the log; `live` is live, or lies after it.
  local expired, live, leaves = -1, length, now
  while live - expired > 1 do
    local middle = math.floor((expired + live) / 2)
    local record = call('GETRANGE', key, middle * 8, middle * 8 + 7)
    local leaves_at = #record == 8 and struct.unpack('>I8', record) + ARGV[i + 2] or now
    if leaves_at <= now then
      expired = middle
    else
      live, leaves = middle, leaves_at
    end
  end
  told[#told + 1] = length - live
  told[#told + 1] = leaves - now
end
return told

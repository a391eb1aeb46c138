-- One decision of several windows, each of its own limits: all admit the call and each is charged, or none is. Before this
-- stand `exact` and `counted`, which are exact.lua and counted.lua as functions of KEYS and ARGV. All windows but the last are
-- asked without writing. If they admit the call, the last one decides for good, and if it does so as well, they are charged.
-- All happens at one instant and nothing runs in between, so what was found is still so.
--
-- KEYS  the windows, no two of them the same
-- ARGV  1 instant, or -1 for the server's time; 2 0 decide, 1 decide and tell what an admission leaves, 4 decide and tell
--       what a refusal found, 5 both; then for each window: 0 if it is exact, 1 if it is counted; how many arguments follow;
--       those of its own script, but for the instant and what to do.
-- Returns { 1, and for each window: the time to wait (0 admits), place of the limit that waits longest }, where that is to be
--       told followed by what each window that refuses has behind these two; or 0, alone or followed by what each window's
--       own script returns behind its 0.
local now, mode = tonumber(ARGV[1]), ARGV[2]
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local windows, read = {}, 3
for i, key in ipairs(KEYS) do
  local decide, count = exact, ARGV[read + 1]
  if ARGV[read] == '1' then
    decide = counted
  end
  local args = { ARGV[read + 2], now, ARGV[read + 3], '3' }
  for place = 3, count do
    args[place + 2] = ARGV[read + 1 + place]
  end
  windows[i] = { key = { key }, decide = decide, args = args }
  read = read + 2 + count
end

local waits, is_refused, answer = { 1 }, false, nil
for i, window in ipairs(windows) do
  if i == #windows and not is_refused then
    window.args[4] = mode
  end
  answer = window.decide(window.key, window.args)
  local wait, by = answer, 0
  if type(answer) == 'table' then
    if answer.err then
      return answer
    end
    wait, by = answer[1], answer[2]
  end
  is_refused = is_refused or wait > 0
  waits[2 * i], waits[2 * i + 1] = wait, by
end
if is_refused then
  for i, window in ipairs(windows) do
    if mode > '3' and waits[2 * i] > 0 then
      window.args[4] = '2'
      local found = window.decide(window.key, window.args)
      for place = 3, #found do
        waits[#waits + 1] = found[place]
      end
    end
  end
  return waits
end

local told = { 0 }
for i, window in ipairs(windows) do
  local left = answer
  if i < #windows then
    window.args[4] = mode
    left = window.decide(window.key, window.args)
  end
  if mode == '1' or mode == '5' then
    for place = 2, #left do
      told[#told + 1] = left[place]
    end
  end
end
return told

-- One decision of several windows, each of its own limits: all admit the call and each is charged, or none is. Before this
-- stand `exact` and `counted`, which are exact.lua and counted.lua as functions of KEYS and ARGV: each is asked first without
-- writing, then all are charged, at one instant. Nothing runs in between, so what was found is still so.
--
-- KEYS  the windows, no two of them the same
-- ARGV  1 instant, or -1 for the server's time; 2 0 decide, 1 decide and tell what is left; then for each window: 0 if it is
--       exact, 1 if it is counted; how many arguments follow; those of its own script, whose second and fourth are
--       replaced.
-- Returns { 1, and for each window: the time to wait (0 admits), place of the limit that waits longest }; or 0, alone or
--       followed by what each window's own script returns behind its 0.
local now, mode = tonumber(ARGV[1]), ARGV[2]
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local windows, read = {}, 3
for i, key in ipairs(KEYS) do
  local count, args = tonumber(ARGV[read + 1]), {}
  for place = 1, count do
    args[place] = ARGV[read + 1 + place]
  end
  args[2] = now
  windows[i] = { key = { key }, decide = ARGV[read] == '0' and exact or counted, args = args }
  read = read + 2 + count
end

local waits, is_refused = { 1 }, false
for _, window in ipairs(windows) do
  window.args[4] = '3'
  local wait, by = window.decide(window.key, window.args), 0
  if type(wait) == 'table' then
    if wait.err then
      return wait
    end
    wait, by = wait[1], wait[2]
  end
  is_refused = is_refused or wait > 0
  waits[#waits + 1] = wait
  waits[#waits + 1] = by
end
if is_refused then
  return waits
end

local told = { 0 }
for _, window in ipairs(windows) do
  window.args[4] = mode
  local left = window.decide(window.key, window.args)
  if mode == '1' then
    for place = 2, #left do
      told[#told + 1] = left[place]
    end
  end
end
return told

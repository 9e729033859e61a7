-- Asks for another path with each call: wrk ... URL -- PATH [PATH ...]
local paths
local at = 0

init = function(args)
  paths = args
end

request = function()
  at = at % #paths + 1
  return wrk.format(nil, paths[at])
end

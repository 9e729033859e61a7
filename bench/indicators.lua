-- Asks for another indicator with each call. The demo data has 90.
local id = 0

request = function()
  id = id % 90 + 1
  return wrk.format(nil, wrk.path .. "/" .. id)
end

import { earlyMs, lookAgainMs, maxAheadMs, maxWaitMs, placeMs, toleranceMs } from './port.ts';

/** A set of leases is kept this much longer than its newest lease, because an older one may end after that. */
const slackMs = 10_000;

/**
 * The algorithm of `memory.ts`, on Redis's clock.
 *
 * KEYS: the epoch, the sign that strict entries must wait, then three for each entry: its endpoint's leases and places
 * (sorted sets, scored by expiry) and the last admitted start. ARGV: the epoch that the caller knows, then four for each
 * entry: its delivery, the maximum in flight, the maximum per second (empty for none), and the letters `u` for urgent and
 * `s` for strict. A script that finds another epoch does nothing and returns null.
 */
const prelude = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local isClosed = redis.call('EXISTS', KEYS[2]) == 1

local function entryAt(index)
  local key, arg = index * 3, index * 4 - 2
  local flags = ARGV[arg + 3]
  return {
    leases = KEYS[key], places = KEYS[key + 1], last = KEYS[key + 2],
    delivery = ARGV[arg], most = tonumber(ARGV[arg + 1]), rate = tonumber(ARGV[arg + 2]),
    urgent = string.find(flags, 'u') ~= nil, strict = string.find(flags, 's') ~= nil
  }
end

local function endOf(key, delivery)
  local endsAt = tonumber(redis.call('ZSCORE', key, delivery) or '0')
  return endsAt > now and endsAt or nil
end

local function used(entry) return redis.call('ZCARD', entry.leases) + redis.call('ZCARD', entry.places) end

local function dropExpired(entry)
  redis.call('ZREMRANGEBYSCORE', entry.leases, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', entry.places, '-inf', now)
end

local function hasRoom(entry)
  if used(entry) < entry.most then return true end
  dropExpired(entry)
  return used(entry) < entry.most
end

local function nextStart(entry) return tonumber(redis.call('GET', entry.last) or '0') + 1000 / entry.rate end

local function waitFor(entry)
  if not entry.rate then return 0 end
  dropExpired(entry)
  return math.max(0, nextStart(entry) - now) + redis.call('ZCARD', entry.places) * 1000 / entry.rate
end

local function takeStart(entry)
  if not entry.rate then return now end
  local nextAt = nextStart(entry)
  local startsAt = nextAt < now - ${toleranceMs} and now or nextAt
  local keptMs = math.ceil(startsAt - now + 1000 / entry.rate) + 1000
  redis.call('SET', entry.last, string.format('%.3f', startsAt), 'PX', keptMs)
  return math.max(now, nextAt)
end

local function keep(key, delivery, ms)
  redis.call('ZADD', key, now + ms, delivery)
  redis.call('PEXPIRE', key, ms + ${slackMs})
end

local function each(work)
  local answers = {}
  for index = 1, (#KEYS - 2) / 3 do answers[index] = work(entryAt(index)) end
  return answers
end

local function admitted(ms) return {'admitted', math.ceil(ms)} end
local function full(ms) return {'full', math.ceil(ms)} end
local function running(endsAt) return {'running', math.ceil(endsAt - now)} end
`;

/** Leases last for `leaseMs`. */
export const enterScript = (leaseMs: number) => `${prelude}
return each(function (entry)
  local endsAt = endOf(entry.leases, entry.delivery)
  if endsAt then return running(endsAt) end
  local hadPlace = endOf(entry.places, entry.delivery)
  redis.call('ZREM', entry.places, entry.delivery)
  if isClosed and entry.strict then return full(${lookAgainMs}) end
  if not hadPlace and not entry.urgent then
    if not hasRoom(entry) then return full(${lookAgainMs}) end
    local wait = waitFor(entry)
    if wait > ${maxWaitMs} then return full(wait) end
  end
  local wait = takeStart(entry) - now
  keep(entry.leases, entry.delivery, math.ceil(wait) + ${leaseMs})
  return admitted(entry.urgent and 0 or wait)
end)
`;

export const reserveScript = `${prelude}
return each(function (entry)
  local endsAt = endOf(entry.leases, entry.delivery)
  if endsAt then return running(endsAt) end
  if isClosed and entry.strict then return full(${lookAgainMs}) end
  if endOf(entry.places, entry.delivery) then return full(${lookAgainMs}) end
  local wait = 0
  if not entry.urgent then
    if not hasRoom(entry) then return full(${lookAgainMs}) end
    wait = waitFor(entry)
    if wait > ${maxAheadMs} then return full(wait - ${maxAheadMs / 2}) end
  end
  keep(entry.places, entry.delivery, math.ceil(wait) + ${placeMs})
  return admitted(math.max(0, wait - ${earlyMs}))
end)
`;

export const delayScript = `${prelude}
return each(function (entry) return math.ceil(takeStart(entry) - now) end)
`;

/** KEYS: the sorted set of each lease or place. ARGV: the delivery of each. */
export const returnScript = `
for index = 1, #KEYS do redis.call('ZREM', KEYS[index], ARGV[index]) end
`;

/**
 * Registers a process: adds the leases that it knows, and returns the epoch, which changes whenever Redis may have lost
 * leases. A process that knew another epoch closes the gate to strict entries, until all processes must have registered.
 * KEYS: the epoch, the sign that strict entries must wait, then the sorted set of each lease. ARGV: the epoch that the
 * process knows (empty for none), a name for a new one, how long strict entries must wait, then two for each lease: its
 * delivery and the milliseconds that are left.
 */
export const registerScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local epoch = redis.call('GET', KEYS[1])
if not epoch or string.sub(epoch, 1, #run) ~= run then
  epoch = run .. ARGV[2]
  redis.call('SET', KEYS[1], epoch)
end
if ARGV[1] ~= '' and ARGV[1] ~= epoch then redis.call('SET', KEYS[2], 1, 'PX', ARGV[3]) end
for key = 3, #KEYS do
  local arg = key * 2 - 2
  local ms = tonumber(ARGV[arg + 1])
  redis.call('ZADD', KEYS[key], now + ms, ARGV[arg])
  if redis.call('PTTL', KEYS[key]) < ms then redis.call('PEXPIRE', KEYS[key], ms) end
end
return epoch
`;

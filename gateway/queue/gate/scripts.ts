import { serverIdInLua } from '../../base/redis.ts';
import { type Answer, earlyMs, lookAgainMs, maxAheadMs, maxWaitMs, placeMs, toleranceMs } from './port.ts';

/** A set of leases is kept this much longer than its newest lease, because an older one may end after that. */
const slackMs = 10_000;

/** What the scripts answer, by the number that stands for it. */
export const answerKinds = ['admitted', 'full', 'running'] as const satisfies Answer['kind'][];

/**
 * The algorithm of `memory.ts`, on Redis's clock. A script asks Redis once for all deliveries of an endpoint, because the
 * commands are most of its cost.
 *
 * KEYS: the epoch, the sign that strict entries must wait, then three for each group of entries with the same endpoint and
 * limits: the endpoint's leases and places (sorted sets, scored by expiry) and the last admitted start. ARGV: the epoch that
 * the caller knows, then for each group: the number of deliveries, the maximum in flight, the maximum per second (empty for
 * none), the letters `u` for urgent, `s` for strict and `t` for taken out of a lane, and the deliveries. Returns an index of `answerKinds` and the
 * milliseconds for each entry. A script that finds another epoch does nothing and returns null, and so does one on another
 * server: one that was restarted, or a replica that took over, may lack the last leases although it has the epoch.
 */
const prelude = `
local server = ${serverIdInLua}
if redis.call('GET', KEYS[1]) ~= ARGV[1] or string.sub(ARGV[1], 1, #server) ~= server then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local isClosed = redis.call('EXISTS', KEYS[2]) == 1
local answers = {}

local function answer(kind, ms)
  answers[#answers + 1] = kind
  answers[#answers + 1] = math.ceil(ms)
end
local function admitted(ms) answer(0, ms) end
local function full(ms) answer(1, ms) end
local function running(endsAt) answer(2, endsAt - now) end

local function groupAt(index, arg)
  local key, flags = index * 3, ARGV[arg + 3]
  local leases, places = KEYS[key], KEYS[key + 1]
  return {
    leases = leases, places = places, last = KEYS[key + 2],
    first = arg + 4, final = arg + 3 + ARGV[arg], most = tonumber(ARGV[arg + 1]), rate = tonumber(ARGV[arg + 2]),
    urgent = string.find(flags, 'u') ~= nil, strict = string.find(flags, 's') ~= nil, taken = string.find(flags, 't') ~= nil,
    used = { [leases] = redis.call('ZCARD', leases), [places] = redis.call('ZCARD', places) },
    given = {}, ends = {}, keptMs = 0
  }
end

local function endsIn(group, key)
  if group.used[key] == 0 then return {} end
  return redis.call('ZMSCORE', key, unpack(ARGV, group.first, group.final))
end

local function future(endsAt)
  endsAt = tonumber(endsAt or 0)
  return endsAt > now and endsAt or nil
end

local function remove(group, key, command, ...)
  if group.used[key] > 0 then group.used[key] = group.used[key] - redis.call(command, key, ...) end
end

local function dropExpired(group)
  if group.isFresh then return end
  group.isFresh = true
  remove(group, group.leases, 'ZREMRANGEBYSCORE', '-inf', now)
  remove(group, group.places, 'ZREMRANGEBYSCORE', '-inf', now)
end

local function usedBy(group) return group.used[group.leases] + group.used[group.places] + #group.given / 2 end

local function hasRoom(group)
  if usedBy(group) < group.most then return true end
  dropExpired(group)
  return usedBy(group) < group.most
end

local function nextStart(group)
  group.startedAt = group.startedAt or tonumber(redis.call('GET', group.last) or '0')
  return group.startedAt + 1000 / group.rate
end

local function waitFor(group, newPlaces)
  if not group.rate then return 0 end
  dropExpired(group)
  return math.max(0, nextStart(group) - now) + (group.used[group.places] + newPlaces) * 1000 / group.rate
end

local function takeStart(group)
  if not group.rate then return now end
  local nextAt = nextStart(group)
  group.startedAt = nextAt < now - ${toleranceMs} and now or nextAt
  group.hasStarts = true
  return math.max(now, nextAt)
end

local function keep(group, delivery, ms)
  group.given[#group.given + 1] = now + ms
  group.given[#group.given + 1] = delivery
  group.ends[delivery] = now + ms
  group.keptMs = math.max(group.keptMs, ms)
end

local function store(group, key)
  if group.hasStarts then
    local keptMs = math.ceil(group.startedAt - now + 1000 / group.rate) + 1000
    redis.call('SET', group.last, string.format('%.3f', group.startedAt), 'PX', keptMs)
  end
  if #group.given == 0 then return end
  redis.call('ZADD', key, unpack(group.given))
  redis.call('PEXPIRE', key, group.keptMs + ${slackMs})
end

local function each(set, work)
  local arg = 2
  for index = 1, (#KEYS - 2) / 3 do
    local group = groupAt(index, arg)
    local leased, placed = endsIn(group, group.leases), endsIn(group, group.places)
    for at = group.first, group.final do
      local position = at - group.first + 1
      work(group, ARGV[at], future(leased[position]), future(placed[position]))
    end
    store(group, group[set])
    arg = group.final + 1
  end
  return answers
end
`;

export const enterScript = (leaseMs: number) => `${prelude}
return each('leases', function (group, delivery, leasedUntil, placedUntil)
  local endsAt = leasedUntil or group.ends[delivery]
  if group.taken then endsAt = endsAt or placedUntil end
  if endsAt then return running(endsAt) end
  if placedUntil then remove(group, group.places, 'ZREM', delivery) end
  if isClosed and group.strict then return full(${lookAgainMs}) end
  if not placedUntil and not group.urgent then
    if not hasRoom(group) then return full(${lookAgainMs}) end
    local wait = waitFor(group, 0)
    if wait > ${maxWaitMs} then return full(wait) end
  end
  local wait = takeStart(group) - now
  keep(group, delivery, math.ceil(wait) + ${leaseMs})
  admitted(group.urgent and 0 or wait)
end)
`;

export const reserveScript = `${prelude}
return each('places', function (group, delivery, leasedUntil, placedUntil)
  if leasedUntil then return running(leasedUntil) end
  if isClosed and group.strict then return full(${lookAgainMs}) end
  if placedUntil or group.ends[delivery] then return full(${lookAgainMs}) end
  local wait = 0
  if not group.urgent then
    if not hasRoom(group) then return full(${lookAgainMs}) end
    wait = waitFor(group, #group.given / 2)
    if wait > ${maxAheadMs} then return full(wait - ${maxAheadMs / 2}) end
  end
  keep(group, delivery, math.ceil(wait) + ${placeMs})
  admitted(math.max(0, wait - ${earlyMs}))
end)
`;

export const delayScript = `${prelude}
return each('leases', function (group) admitted(takeStart(group) - now) end)
`;

/** KEYS: sorted sets of leases or places. ARGV: for each, the number of deliveries and the deliveries. */
export const returnScript = `
local arg = 1
for index = 1, #KEYS do
  redis.call('ZREM', KEYS[index], unpack(ARGV, arg + 1, arg + ARGV[arg]))
  arg = arg + 1 + ARGV[arg]
end
`;

/** KEYS: sorted sets of leases or places. Returns how many members of each have not expired. */
export const countScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local counts = {}
for index = 1, #KEYS do counts[index] = redis.call('ZCOUNT', KEYS[index], now, '+inf') end
return counts
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
local server = ${serverIdInLua}
local epoch = redis.call('GET', KEYS[1])
if not epoch or string.sub(epoch, 1, #server) ~= server then
  epoch = server .. ARGV[2]
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

/** Why one reply cannot show an alternative, where several gaps have the same reason. */
export const untestable = {
  asked: 'It affects the client’s request, not the answer.',
  overTime: 'It shows only over many calls.',
  outside: 'It is outside this API.',
  condition: 'It affects when the event is sent; its payload is a separate gap.',
  twoRequests: 'It needs two requests.',
};

/** Why `observe` does not look at a gap, where several have the same reason. */
export const notLookedAt = {
  outside: 'It happens outside of this API.',
  setUp: 'It is set up outside of this API, and a webhook is the same either way.',
};

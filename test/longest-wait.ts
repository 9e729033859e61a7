/**
 * How long tests wait for what happens in real time: a busy machine may need a minute for what usually takes a second. It bounds
 * what never happens, and no other limit is shorter.
 */
export const longestWaitMs = 120_000;

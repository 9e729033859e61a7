import type { ServiceName } from '../../../spec/documents/services.ts';
import { bothOf } from './both.ts';
import type { SeenCall } from './call.ts';
import { cohesionReplies } from './cohesion-replies.ts';
import { cohesionRequests } from './cohesion-requests.ts';
import { isOfDocument } from './documents.ts';
import type { Finding, Recognisers } from './finding.ts';
import { posErrors } from './pos-errors.ts';
import { posReplies } from './pos-replies.ts';
import { posRequests } from './pos-requests.ts';
import { requestsOf } from './requests.ts';
import { shapesOf } from './shapes.ts';

const recognisers: Recognisers = {
  pos: [...posReplies, ...posRequests, ...posErrors, ...bothOf('pos'), requestsOf('pos'), shapesOf('pos')],
  cohesion: [...cohesionReplies, ...cohesionRequests, ...bothOf('cohesion'), requestsOf('cohesion'), shapesOf('cohesion')],
};

/** What a call says about the entries of the register. `earlier`: the calls before it in the same run. */
export const findingsOf = (api: ServiceName, call: SeenCall, earlier: readonly SeenCall[]): Finding[] =>
  isOfDocument(api, call) ? recognisers[api].flatMap((recognise) => recognise(call, earlier)) : [];

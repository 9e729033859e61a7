import type { Endpoint } from '../../lib/endpoint-state.ts';
import type { EndpointFigures } from '../../lib/figures.ts';

/** An endpoint with its figures of the last hour. */
export type EndpointRow = Endpoint & { figures: EndpointFigures | undefined };

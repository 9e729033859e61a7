import { askedBy } from '../contracts/tools/assumptions/asked.ts';

/** Method and path as in the documents: `POST /sales`, `PUT /financements/{id}`. */
export const operationIn = (method: string, path: string): string =>
  askedBy({ method, path, query: {}, headers: {}, body: undefined }, []).operation;

import type { ReactNode } from 'react';
import { count, plural } from '../../lib/format.ts';

export const contracts = {
  title: 'Contracts',
  tabs: { gaps: 'Gap register', verifications: 'Verifications', documents: 'OpenAPI documents' },
  gaps: {
    filters: { q: 'Search', qExample: 'currency, token … (/)', api: 'API', status: 'Status' },
    status: { assumed: 'assumed', confirmed: 'confirmed', refuted: 'refuted' },
    all: (gaps: number, address: ReactNode) => (
      <>
        {plural(gaps, 'gap')} in the two documents: what they leave open, and what Passerelle does. Partners can read them at{' '}
        {address}.
      </>
    ),
    some: (shown: number, gaps: number, address: ReactNode) => (
      <>
        {count(shown)} of {plural(gaps, 'gap')} in the two documents: what they leave open, and what Passerelle does. Partners can
        read them at {address}.
      </>
    ),
    noMatches: { title: 'No matching gaps', next: 'Remove a word or a filter.' },
    place: (api: string, section: string) => `${api}, section ${section}`,
    quote: (words: ReactNode) => <>The document: “{words}”</>,
    choice: 'Choice:',
    why: 'Why:',
    alternatives: 'Alternatives:',
    copyCommand: (alternative: string) => `Copy the command for ${alternative}`,
    notPlayed: (reason: ReactNode) => <>No stub plays it. {reason}</>,
  },
  verifications: {
    label: 'Published verification',
    verified: (at: string, providers: string) => `${at}: ${providers}, verified`,
    failed: (at: string, providers: string, failed: number) => `${at}: ${providers}, ${count(failed)} failed`,
    result: { verified: 'verified', failed: 'failed' },
    summary: (interactions: number, failed: number, published: ReactNode) => (
      <>
        {plural(interactions, 'interaction')}, {count(failed)} failed. Published {published}.
      </>
    ),
    none: {
      title: 'No verification has been published yet',
      next: 'A verification replays the interactions of the pacts against an implementation and reports the differences. Run this command to verify and publish the report here:',
    },
  },
  report: {
    label: 'Interactions to show',
    all: 'All',
    none: 'None.',
    outcome: { failed: 'failed', pending: 'pending', verified: 'verified' },
    outcomes: {
      failed: (interactions: number) => `${count(interactions)} failed`,
      pending: (interactions: number) => `${count(interactions)} pending`,
      verified: (interactions: number) => `${count(interactions)} verified`,
    },
    reference: (took: string) => `the reference implementation, ${took}`,
    address: (url: string, took: string) => `at ${url}, ${took}`,
  },
  interaction: {
    given: (states: ReactNode) => <>Given {states}.</>,
    and: ', and ',
    source: (took: string, file: string) => `${took}, from ${file}.`,
    restsOn: 'Depends on the choices for:',
    kind: {
      status: 'status',
      header: 'header',
      body: 'body',
      metadata: 'metadata',
      state: 'state',
      provider: 'provider',
    },
    at: (kind: string, path: string) => `${kind} at ${path}`,
    expected: 'Expected',
    actual: 'Actual',
    value: (name: string) => `${name}:`,
    documented: (document: ReactNode, section: string, says: ReactNode) => (
      <>
        {document}, section {section}: “{says}”
      </>
    ),
    gap: (question: ReactNode, choice: ReactNode, id: ReactNode) => (
      <>
        The documents leave open: {question} Choice: {choice} ({id})
      </>
    ),
    requestBody: 'Request body',
    reply: (status: number) => `Reply: ${status}`,
    replyBody: 'Reply body',
    message: 'Message',
  },
  documents: {
    title: 'Read the documents and try the operations',
    about: (address: ReactNode, files: ReactNode) => (
      <>
        {address} shows all of them with their schemas and sends requests. For generators and tools: {files}
      </>
    ),
    label: 'Document',
    names: { pos: 'Point of Sale', cohesion: 'Social Cohesion', manage: 'Manage API', profile: 'Profile API' },
    filter: 'Operation',
    filterExample: 'sale, /stats … (/)',
    all: (title: ReactNode, version: string, operations: number) => (
      <>
        {title}, version {version}: {plural(operations, 'operation')}.
      </>
    ),
    found: (title: ReactNode, version: string, operations: number) => (
      <>
        {title}, version {version}: {plural(operations, 'operation')} found.
      </>
    ),
    event: 'event',
    calls: 'calls',
    events: 'events',
    callsOf: (operation: string) => `calls of ${operation}`,
    eventsOf: (type: string) => `events of ${type}`,
  },
};

import { endpointParts } from '../../../page/texts/en/endpoint-parts.tsx';
import { parts } from '../../../page/texts/en/parts.tsx';
import { server } from '../../../page/texts/en/server.ts';

/** Shared texts that speak of operators or of the console, in words for partners. */
export const forPartners = {
  frame: { noSuchPage: 'There is no such page in your profile' },
  parts: {
    viewersCannotChange: 'This session may only read.',
    endpointWhy: {
      ...parts.endpointWhy,
      off: {
        ...parts.endpointWhy.off,
        owner: 'by you',
        owner_inactive: 'your account is not active',
      } as Readonly<Record<string, string>>,
      unverified: { unverified: 'it receives nothing yet', url_changed: 'its new URL is not verified yet' },
    },
    /** The server's own words on these are for operators. */
    reasons: {
      owner_inactive: {
        title: 'Your account was inactive',
        meaning: 'Your account was inactive when the delivery was due.',
        advice: 'Once the operator has activated it, resend this delivery, or retry everything owed.',
      },
      not_visible: {
        title: 'Outside of your perimeter',
        meaning: "The event's store or structure had left your perimeter when the delivery was due.",
        advice: 'Nothing, if your perimeter is right. Otherwise ask the operator to widen it, then resend this delivery.',
      },
      endpoint_unverified: {
        title: 'Endpoint not verified',
        meaning: 'The URL had changed, and the new one was not verified when the delivery was due.',
        advice: 'Verify the endpoint. Then resend this delivery, or retry everything owed.',
      },
      secret_unreadable: {
        title: 'Secret unreadable',
        meaning: 'Nothing was sent, because the delivery could not be signed.',
        advice: 'The gateway cannot read the signing secret of the endpoint. Rotate it, or ask the operator.',
      },
      event_missing: {
        title: 'Event deleted',
        meaning: 'The event is no longer kept, and with it the body to send.',
        advice: 'The delivery cannot be sent any more.',
      },
    },
    endpointForm: {
      ...parts.endpointForm,
      new: 'Add an endpoint',
      created: 'Endpoint added',
      create: 'Add',
      edit: 'Edit the endpoint',
      changed: 'The endpoint was changed.',
      copied: 'I have copied it: verify the endpoint',
      eventTypes: 'Events',
      eventTypesHelp: 'None chosen: all events, including future ones.',
      perimeterHelp: 'Press Enter after each id. None: all of yours.',
    },
    problem: { ...parts.problem, overview: 'Your profile', console: 'This page failed' },
    retry: { ...parts.retry, title: 'Retry everything owed', onlyOperator: 'This session may only read.' },
  },
  causes: {
    ...server.causes,
    sentences: {
      ...server.causes.sentences,
      owner: '{host} is paused by you. Nothing is sent to it.',
      inactive_owner: '{host} is off, because your account is not active. Nothing is sent to it.',
      unverified: '{host} is not verified yet. Nothing is sent to it.',
      url_changed: '{host} is not verified at its new URL. Nothing is sent to it.',
      owner_inactive: '{host} was off when the delivery was due, because your account was inactive. It was skipped.',
      not_visible: '{host} gets nothing about this: it had left your perimeter when the delivery was due.',
    },
  },
  timeline: { resent: 'Sent again by hand.' },
  /** In place of refusals that name a call of the API. */
  onPage: {
    already_verified:
      'The endpoint is verified already, perhaps in another tab. Reload the page. “Send test event” sends it another event.',
  },
  endpointParts: {
    ...endpointParts,
    settings: { ...endpointParts.settings, allTypes: 'all' },
    state: {
      ...endpointParts.state,
      advice: {
        ...endpointParts.state.advice,
        failing: {
          ...endpointParts.state.advice.failing,
          next: 'Each delivery is retried on its schedule. See why in its deliveries, fix the receiver and retry now.',
        },
      },
    },
  },
};

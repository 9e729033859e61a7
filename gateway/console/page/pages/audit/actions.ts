import { text } from '../../texts/index.ts';

/** The operations of partners in their profile that have entries in the audit trail. */
const ofPartners = [
  'openProfileSession',
  'closeProfileSession',
  'createProfileToken',
  'revokeProfileToken',
  'createProfileKey',
  'rotateProfileKey',
  'revokeProfileKey',
  'exportProfileCalls',
  'createProfileEndpoint',
  'previewProfileFilter',
  'updateProfileEndpoint',
  'removeProfileEndpoint',
  'verifyProfileEndpoint',
  'rotateProfileEndpointSecret',
  'sendProfileTestEvent',
  'exportProfileDeliveries',
  'exportProfileEndpoints',
  'exportProfileAttempts',
  'resendProfileDelivery',
  'skipProfileDelivery',
  'diagnoseProfileDelivery',
  'createProfileRecovery',
  'updateProfileRecovery',
  'setProfileAlertAddress',
  'confirmProfileAlertAddress',
  'removeProfileAlertAddress',
];

const words: Readonly<Record<string, string>> = text.audit.actions;

/** An operation in words. Most operations of a profile are those of operators, for the partner's own rows. */
export const wordsOfAction = (action: string): string => words[action] ?? words[action.replace('Profile', '')] ?? action;

/** Every operation that has entries, to choose from. */
export const auditedActions = [...Object.keys(words), ...ofPartners.filter((action) => !(action in words))].map((value) => ({
  value,
  label: ofPartners.includes(value) ? text.audit.inProfile(wordsOfAction(value)) : wordsOfAction(value),
}));

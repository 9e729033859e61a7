export const signIn = {
  title: 'Sign in',
  credential: 'Credential',
  whichCredential: 'The operator token that the gateway printed at startup, or a credential that an operator created for you.',
  submit: 'Sign in',
  lost: 'Lost it? The startup message shows it if the gateway has demo data. Otherwise it is the value of OPERATOR_TOKEN.',
  wrong: 'No operator has this credential. Check that you copied all of it.',
};

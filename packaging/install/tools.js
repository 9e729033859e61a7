/** Programs that neither `npm start` nor `npm test` needs, each with its package in the one version that is used. */
export const tools = {
  biome: '@biomejs/biome@2.5.15',
  tsc: 'typescript@7.0.2',
  redocly: '@redocly/cli@2.77.0',
};

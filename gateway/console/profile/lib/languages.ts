/** The languages of the sample receivers, with their names. */
export const languages = {
  node: 'Node.js',
  php: 'PHP',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  csharp: 'C#',
  ruby: 'Ruby',
} as const;

export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as Language[];

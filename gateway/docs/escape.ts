const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string);

/** The text of trusted HTML. */
export const textOfHtml = (html: string): string =>
  Object.entries(entities)
    .toReversed()
    .reduce((text, [character, entity]) => text.replaceAll(entity, character), html.replace(/<[^>]*>/g, ''));

import { SaxesParser } from 'saxes';

/** Returns the elements of an XML text in order. Throws if it is not well-formed. */
export function readXml(text: string): { name: string; attributes: Record<string, string> }[] {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes: attributes as Record<string, string> }));
  parser.write(text).close();
  return elements;
}

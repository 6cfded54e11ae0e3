/** Exceptions of services are XML, which the policy of the page does not let a parser read. */

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", '#39': "'" };

/** The result is shown as text. */
export function decodeEntities(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name: string) => entities[name] ?? whole);
}

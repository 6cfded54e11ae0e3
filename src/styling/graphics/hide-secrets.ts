import { isChartAddress } from './chart-address.ts';

/** Removes the user, the password and the query, which may contain keys, from the address of a picture. */
export function hideSecrets(href: string): string {
  // The query of a local file has the parameters of an SVG picture.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(href) && !href.startsWith('//')) return href;
  // A chart is described by its query, and not fetched.
  if (isChartAddress(href)) return href;
  return href.replace(/\?[^#]*/s, '').replace(/\/\/[^/#]*@/, '//');
}

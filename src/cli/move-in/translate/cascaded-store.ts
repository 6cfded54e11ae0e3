/** Translates stores of maps and tiles of other servers. */
import { child } from '../../../lib/xml/elements.ts';
import { findText, readNumber } from '../read/values.ts';
import type { Move } from './move.ts';
import { disableForPlaceholder, reportMissingCheck, type StoreDocument, type StoreFields } from './store-document.ts';
import { readSecret } from './stored-secret.ts';
import type { UrlChecks } from './url-checks.ts';

/** Returns whether the store may be opened; the report has the reason otherwise. */
export function translateCascadedStore(
  move: Move,
  kind: 'wmsStore' | 'wmtsStore',
  { root, path, subject }: StoreDocument,
  { fields, checks }: { readonly fields: StoreFields; readonly checks: UrlChecks },
): boolean {
  const url = findText(root, 'capabilitiesURL') ?? '';
  const expanded = url.includes('${') ? move.secrets.expandText(url) : url;
  if (expanded === undefined) disableForPlaceholder(move, fields, subject, url);
  else if (!checks.allow(expanded, subject.source)) {
    reportMissingCheck(move, subject, expanded);
    return false;
  }
  fields.set('capabilitiesURL', expanded ?? url);
  const user = findText(root, 'user') ?? findText(root, 'username');
  if (user !== undefined) fields.set('user', user);
  const password = readSecret(move, { path, field: 'password', stored: findText(root, 'password'), subject });
  if (password !== undefined) fields.set('password', password);
  const headers = kind === 'wmtsStore' ? (['headerName', 'headerValue'] as const) : [];
  for (const name of headers) {
    const text = findText(root, name);
    const value = name === 'headerValue' ? readSecret(move, { path, field: name, stored: text, subject }) : text;
    if (value !== undefined) fields.set(name, value);
  }
  for (const name of ['maxConnections', 'readTimeout', 'connectTimeout']) {
    const element = child(root, name);
    const number = element && readNumber(element);
    if (number !== undefined) fields.set(name, number);
  }
  return true;
}

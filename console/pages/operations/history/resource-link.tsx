/** What happened to a resource, with a link to its page if it has one. */

import { findAddress } from '../../../shell/resource-address.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';

interface ResourceLinkProps {
  readonly path: string | null;
  readonly kind?: string;
}

export function ResourceLink({ path, kind }: ResourceLinkProps) {
  if (path === null) return <span>{kind ?? t().historyPages.unnamed}</span>;
  const address = findAddress(path);
  const shown = decodePath(path);
  return address === undefined ? <span>{shown}</span> : <a href={toUrl(address)}>{shown}</a>;
}

export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The word and color of an action. */
export function ActionMark({ action }: { readonly action: string }) {
  return <span class={`mark mark-${action}`}>{t().historyPages.actions[action] ?? action}</span>;
}

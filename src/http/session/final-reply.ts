/** Completes a recorded response after the commit: replaces provisional versions by the number of the change. */
import { resolveProvisionalVersion } from '../../lib/values/provisional-version.ts';
import type { HeaderList, RecordedReply } from './recorded-reply.ts';
import type { CommittedChange } from './session.ts';

export interface FinalReply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Buffer;
}

export function finalizeReply(reply: RecordedReply, change: CommittedChange | null, position: number): FinalReply {
  const headers: HeaderList = [];
  for (let at = 0; at < reply.headers.length; at += 2) {
    const [name = '', value = ''] = reply.headers.slice(at, at + 2);
    if (name === 'etag') headers.push(name, finalizeTag(value, change));
    else if (name === 'graticule-position') headers.push(name, String(Math.max(position, change?.sequence ?? 0)));
    else if (name !== 'content-length') headers.push(name, value);
  }
  if (change !== null) headers.push('graticule-change', String(change.sequence));
  const { status, body } = reply;
  return { status, headers, body: typeof body === 'function' ? body(change) : body };
}

function finalizeTag(tag: string, change: CommittedChange | null): string {
  return tag.replace(
    /^"(\d+)/,
    (_, version) => `"${resolveProvisionalVersion(Number(version), change?.sequence ?? null)}`,
  );
}

/** The document with the new password of the authenticated user; it is never written. */
import type { DocumentReader } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { reportUnknownFields } from '../../http/documents/unknown-fields.ts';
import { unwrap } from '../../http/documents/unwrap.ts';
import { problem } from '../../lib/problems/problem.ts';

const MEMBER = 'newPassword';

const schema: JsonSchema = {
  type: 'object',
  properties: { [MEMBER]: { type: 'string', writeOnly: true, examples: ['correct horse battery'] } },
  required: [MEMBER],
};

/** `<userPassword><newPassword>…</newPassword></userPassword>`; in JSON the root is optional. */
export const ownPasswordReader: DocumentReader<string> = {
  root: 'userPassword',
  maxBytes: 65_536,
  schema,
  read(body, _purpose, unknown) {
    const roots = [...body.members.keys()];
    // An empty document of the right type lacks the password; other documents have an unexpected type.
    const isOurs = body.kind === 'object' && (roots.length === 0 || roots.includes('userPassword'));
    const inner = roots.includes('userPassword') ? body.members.get('userPassword')?.[0] : body;
    if (isOurs && !inner?.members.has(MEMBER)) {
      throw problem('password-missing', { member: MEMBER, field: MEMBER });
    }
    const { node } = unwrap(body, { root: 'userPassword', envelopes: ['userPassword'], members: [MEMBER] });
    reportUnknownFields([node], schema, 'userPassword', unknown);
    const nodes = node.members.get(MEMBER) ?? [];
    const [given] = nodes;
    if (nodes.length !== 1 || given === undefined || given.members.size > 0 || given.text.trim() === '') {
      throw problem('password-missing', { member: MEMBER, field: MEMBER });
    }
    return given.text;
  },
};

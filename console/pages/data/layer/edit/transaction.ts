/** Sends edits to WFS. */
import { callService } from '../../../../rest/client.ts';
import { decodeEntities } from '../../../../rest/decode-entities.ts';
import { RestProblem } from '../../../../rest/problems.ts';
import { type Edit, type EditContext, formatTransaction } from './format-transaction.ts';

/** Sends the edits as one transaction: all of them are stored, or none. Returns the ids of new features in order. */
export async function sendEdits(edits: readonly Edit[], context: EditContext): Promise<readonly string[]> {
  const reply = await callService('wfs', {
    method: 'POST',
    body: formatTransaction(edits, context),
    contentType: 'text/xml',
  });
  const text = await reply.text();
  const failure = /<(?:\w+:)?ExceptionText>([^<]*)/.exec(text)?.[1];
  if (failure !== undefined) {
    throw new RestProblem({ status: 400, code: 'wfs-exception', title: 'Exception', detail: decodeEntities(failure) });
  }
  return [...text.matchAll(/<fes:ResourceId rid="([^"]*)"/g)].map(([, id = '']) => decodeEntities(id));
}

/** The reference page of all errors, from the catalogue itself. */

import { dialects } from '../src/interface/common/dialects.ts';
import { type ProblemCode, problemKinds } from '../src/lib/problems/problem-kinds.ts';

export function errorCatalogue(): string {
  const codes = (Object.keys(problemKinds) as ProblemCode[]).sort(
    (a, b) => problemKinds[a].status - problemKinds[b].status || (a < b ? -1 : 1),
  );
  return `# Errors

<!-- Made by \`npm run generate\` from src/lib/problems/problem-kinds.ts. Edits here are lost. -->

Every error the server can answer with. The code is stable: programs may rely on it. The sentence is for people and may
change.

An error comes as \`{"status": 404, "message": "..."}\`, as \`<ErrorResponse>\` with the same two fields, as a page or as
plain text: in the format that the extension of the path asks for, else the one that \`Accept\` names, else that of the
request's body, else plain text. With \`--compat geoserver\` it is plain text, except where a family always words its
errors with the two fields.

With \`Accept: application/problem+json\` it is an RFC 9457 document that has the code, and where they apply the field at
fault (\`field\`), everything that is wrong with a document (\`errors\`), and what stands in the way (\`blockers\`).

\`quietOnNotFound=true\` in the query empties the body of a 404.

| Status | Code | When | With \`--compat geoserver\` |
|---|---|---|---|
${codes.map(row).join('\n')}
`;
}

function row(code: ProblemCode): string {
  const { status, when } = problemKinds[code];
  const inCompat = dialects.geoserver.statuses[code];
  return `| ${status} | \`${code}\` | ${when.replaceAll('|', '\\|')} | ${inCompat === undefined || inCompat === status ? '' : inCompat} |`;
}

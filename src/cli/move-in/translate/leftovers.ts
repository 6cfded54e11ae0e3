/** Names the files that no resource used, each itself or through its directory. */
import type { EntryCode } from '../report/codes.ts';
import type { Move } from './move.ts';

interface Rule {
  readonly pattern: RegExp;
  readonly code: EntryCode;
  readonly message: string;
  readonly remedy?: string;
}

/** The first rule that matches decides. A group in the pattern is the directory that the entry names. */
const rules: readonly Rule[] = [
  {
    pattern: /(?:^|\/)(?:README[^/]*|[^/]*\.xsd|[^/]*\.bak(?:\.\d+)?|[^/]*~|Thumbs\.db|\.[^/]*)$/i,
    code: 'not-configuration',
    message: 'The file contains no configuration.',
  },
  { pattern: /^\.[^/]+\//, code: 'not-configuration', message: 'The file contains no configuration.' },
  {
    pattern: /^palettes\//,
    code: 'palette-unsupported',
    message: 'Palettes are no part of the configuration.',
    remedy: 'Upload the file to the target: PUT /rest/resource/palettes/NAME.',
  },
  { pattern: /^(www)\//, code: 'static-files', message: 'The server does not serve static files.' },
  {
    pattern: /^(user_projections)\//,
    code: 'not-configuration',
    message: 'No resource uses a CRS code of these definitions.',
  },
  { pattern: /^styles\/|^workspaces\/[^/]+\/styles\//, code: 'file-unused', message: 'No style uses the file.' },
  { pattern: /^layergroups\//, code: 'file-unused', message: 'No layer group uses the file.' },
  { pattern: /^workspaces\//, code: 'file-unused', message: 'No resource uses the file.' },
  { pattern: /^security\//, code: 'file-unused', message: 'No security setting uses the file.' },
  { pattern: /^gwc/, code: 'file-unused', message: 'No tile setting uses the file.' },
  { pattern: /^[^/]+\.(?:xml|properties|ftl|ini|conf)$/i, code: 'file-unused', message: 'The file has no equivalent.' },
  { pattern: /^([^/]+)\//, code: 'data-file', message: 'Data that no imported store names.' },
  { pattern: /./, code: 'data-file', message: 'Data that no imported store names.' },
];

export function reportLeftovers({ files, report, source }: Move): void {
  const counts = new Map<string, { readonly rule: Rule; count: number }>();
  for (const path of files.unaccounted) {
    const rule = rules.find(({ pattern }) => pattern.test(path));
    if (rule === undefined) continue;
    const place = rule.pattern.exec(path)?.[1] ?? path;
    const known = counts.get(`${rule.code} ${place}`);
    if (known === undefined) counts.set(`${rule.code} ${place}`, { rule, count: 1 });
    else known.count += 1;
  }
  for (const [key, { rule, count }] of counts) {
    const place = key.slice(key.indexOf(' ') + 1);
    const total = count > 1 ? ` (${count} files)` : '';
    report.add(rule.code, { source: place }, `${rule.message.replace(/\.$/, '')}${total}.`, rule.remedy);
  }
  for (const { path, code, reason } of source.unvisited) report.add(code, { source: path }, reason);
}

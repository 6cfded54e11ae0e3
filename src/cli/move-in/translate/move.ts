/** Everything that a translation uses. */
import { findNameFault, layerNames } from '../../../lib/text/name-rule.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { listChildElements } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import type { Archive } from '../archive/archive.ts';
import type { SecretWriter } from '../archive/secret-writer.ts';
import type { DocumentReader } from '../read/read-xml.ts';
import type { Report, Subject } from '../report/report.ts';
import type { FileTree } from '../source/file-tree.ts';
import type { Source } from '../source/source.ts';
import type { MoveOptions } from './options.ts';
import type { RenamedKind } from './renames.ts';
import type { SourceIndex } from './source-index.ts';

export interface Move {
  readonly source: Source;
  readonly files: FileTree;
  readonly documents: DocumentReader;
  readonly report: Report;
  readonly archive: Archive;
  readonly index: SourceIndex;
  readonly options: MoveOptions;
  readonly secrets: SecretWriter;
  readonly passwords: PasswordDecoder;
}

/** Reads the stored passwords of stores and providers. */
export interface PasswordDecoder {
  /** Returns the password, or the reason why it cannot be read. */
  decode(stored: string): { readonly password: string } | { readonly reason: string };
}

/** The id of a resource: the first one directly in its document. */
export function readId(root: XmlElement): string | undefined {
  const found = listChildElements(root).find(({ local }) => local === 'id');
  return (found && readElementText(found)) || undefined;
}

/** Returns the name on the target; undefined if no server accepts it. */
export function readTargetName(
  { options: { renames }, report }: Pick<Move, 'options' | 'report'>,
  subject: Subject,
  {
    kind,
    name,
    workspace,
  }: { readonly kind: RenamedKind; readonly name: string | undefined; readonly workspace?: string | null },
): string | undefined {
  if (name === undefined) {
    report.add('name-invalid', subject, 'The document has no name.', 'Add a name on the old server.');
    return undefined;
  }
  const target = renames.get(kind, name, workspace);
  const fault = findNameFault(target, layerNames);
  if (fault === undefined) {
    if (target !== name) report.add('renamed', subject, `'${name}' is imported as '${target}'.`);
    return target;
  }
  const qualified = workspace == null ? name : `${workspace}:${name}`;
  report.add(
    'name-invalid',
    subject,
    `The name '${name}' is invalid: ${fault}.`,
    `Use --rename '${kind}:${qualified}=NEW'.`,
  );
  return undefined;
}

export function reportDuplicateId({ report }: Pick<Move, 'report'>, subject: Subject, isNew: boolean): void {
  if (isNew) return;
  report.add(
    'id-duplicate',
    subject,
    'Another document has the same id. References to it mean the other one.',
    'Check the layers and groups that refer to it.',
  );
}

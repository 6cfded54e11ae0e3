/** Finds earlier contents of the files of a style, as far as the change log contains them. */

import type { Catalog } from '../../records/catalog.ts';
import { readRecordChanges } from '../../records/read-record-changes.ts';
import type { ChangeItem } from '../../storage/port/port.ts';
import { type StyleFile, styleFileKind } from '../kinds/style.ts';

/** Includes images that were deleted when the content that used them was replaced. */
export async function listFormerContents(
  catalog: Pick<Catalog, 'listRecordChanges'>,
  files: readonly Pick<StyleFile, 'id'>[],
): Promise<ReadonlySet<string>> {
  const contents = new Set<string>();
  for (const { id } of files) {
    for await (const { items } of readRecordChanges(catalog, id)) {
      for (const item of items) {
        if (item.kind === styleFileKind.kind && (item.id === id || item.after === null)) {
          for (const content of listItemContents(item)) contents.add(content);
        }
      }
    }
  }
  return contents;
}

function listItemContents({ before, after }: ChangeItem): readonly string[] {
  return [before, after].flatMap((state) => {
    const content = state?.body['content'];
    return typeof content === 'string' ? content : [];
  });
}

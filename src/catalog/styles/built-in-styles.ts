/** Creates the built-in styles at the first start, and missing ones at later starts. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { builtInStyles } from '../../styling/built-in/built-in-styles.ts';
import { sld10 } from '../../styling/content/style-format.ts';
import { styleKind } from '../kinds/style.ts';
import { type StoredStyleContent, storeContent } from './store-content.ts';
import { findStyleFile, listStylesByFile } from './style-view.ts';
import { writeContent } from './write-content.ts';

/** What the style parser returns for each of them. Loading the parser would delay the first start. */
const builtInContent = { format: sld10, charset: null, graphics: [], images: undefined };

/** Creates only missing styles; changed ones stay as they are. */
export async function ensureBuiltInStyles(catalog: Catalog, principal: Principal, files: Files): Promise<void> {
  const found = await Promise.all(builtInStyles.map(({ name }) => catalog.find(styleKind, null, name)));
  const missing = builtInStyles.filter((_, index) => found[index] === undefined);
  if (missing.length === 0) {
    return;
  }
  await files.runFileOperation(async (keeper) => {
    const ready: { readonly name: string; readonly kept: StoredStyleContent }[] = [];
    for (const { name, sld } of missing) {
      ready.push({ name, kept: await storeContent(keeper, { ...builtInContent, bytes: Buffer.from(sld) }) });
    }
    await catalog.change(principal, 'create the built-in styles', async (transaction) => {
      for (const { name, kept } of ready) {
        if ((await transaction.find(styleKind, null, name)) === undefined) {
          await createBuiltInStyle(transaction, name, kept);
        }
      }
    });
  });
}

async function createBuiltInStyle(
  transaction: CatalogTransaction,
  name: string,
  kept: StoredStyleContent,
): Promise<void> {
  const filename = `${name}.sld`;
  const isTaken =
    (await findStyleFile(transaction, null, filename)) !== undefined ||
    (await listStylesByFile(transaction, null, filename, 1)).length > 0;
  const style = await transaction.insert(styleKind, {
    parent: null,
    name,
    filename: isTaken ? `${name}-built-in.sld` : filename,
    format: sld10,
    legend: null,
    metadata: {},
  });
  await writeContent(transaction, { parent: null, path: style.filename }, kept);
}

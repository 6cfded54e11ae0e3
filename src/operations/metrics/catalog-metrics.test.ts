import { expect, test } from 'vitest';
import { createCatalogCollector } from './catalog-metrics.ts';
import { formatExposition } from './exposition.ts';

test('counts the catalog by kind, and again only after a change', async () => {
  let position = 3;
  let size = 10;
  let counted = 0;
  const catalog = {
    position: () => position,
    count: async () => {
      counted += 1;
      return size;
    },
  };
  const collect = createCatalogCollector({ countPendingWrites: () => 2, isWritable: () => true }, [
    { kind: 'workspace' },
    { kind: 'style' },
  ]);

  await collect(catalog);
  const text = formatExposition(await collect(catalog));
  expect(counted).toBe(2);
  expect(text).toContain(
    'graticule_catalog_records{kind="workspace"} 10\ngraticule_catalog_records{kind="style"} 10\n',
  );
  expect(text).toContain('graticule_change_log_position 3\n');
  expect(text).toContain('graticule_write_queue_depth 2\n');

  position = 4;
  size = 11;
  expect(formatExposition(await collect(catalog))).toContain('graticule_catalog_records{kind="workspace"} 11\n');
});

import { expect, test } from 'vitest';
import { catalogMetrics } from './catalog-metrics.ts';
import { expositionText } from './exposition.ts';

test('the catalog is counted by kind, and again only after a change', async () => {
  let position = 3;
  let size = 10;
  let counted = 0;
  const collect = catalogMetrics(
    {
      position: () => position,
      count: async () => {
        counted += 1;
        return size;
      },
      pendingWrites: () => 2,
    },
    ['workspace', 'style'],
  );

  await collect();
  const text = expositionText(await collect());
  expect(counted).toBe(2);
  expect(text).toContain(
    'graticule_catalog_records{kind="workspace"} 10\ngraticule_catalog_records{kind="style"} 10\n',
  );
  expect(text).toContain('graticule_change_log_position 3\n');
  expect(text).toContain('graticule_write_queue_depth 2\n');

  position = 4;
  size = 11;
  expect(expositionText(await collect())).toContain('graticule_catalog_records{kind="workspace"} 11\n');
});

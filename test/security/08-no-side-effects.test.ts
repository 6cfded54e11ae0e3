/** Lesson 8: files that a client refers to are never renamed, moved or deleted. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { administrator, pathTrial } from '../support/path-gates.ts';

describe('lesson 8: references to server files', () => {
  it('changes no file, whether the reference is accepted or rejected', async () => {
    const { root, gate, snapshot } = await pathTrial();
    const before = await snapshot();

    const folder = await gate().resolve(join(root, 'data'), administrator, 'folder');
    await gate().resolve(join(root, 'data/roads.shp'), administrator, 'file');
    for await (const file of gate().walk(folder)) {
      expect(file.path.startsWith(root)).toBe(true);
    }
    await expect(gate().resolve(join(root, 'server/security'), administrator, 'either')).rejects.toThrow();
    await expect(gate().resolve(join(root, 'nowhere'), administrator, 'either')).rejects.toThrow();

    expect(await snapshot()).toEqual(before);
  });
});

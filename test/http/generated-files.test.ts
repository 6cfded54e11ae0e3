import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/generated-files.ts';
import { problemKinds } from '../../src/lib/problems/problem-kinds.ts';

describe('generated files', () => {
  it.each(generatedFiles().map(({ path, content }) => [path, content]))(
    'the generated file is up to date: %s',
    async (path, content) => {
      const found = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8').catch(() => '');

      expect(found, 'Run `npm run generate`.').toBe(content);
    },
  );
});

describe('the error catalogue', () => {
  const page = generatedFiles().find(({ path }) => path === 'docs/errors.md')?.content ?? '';

  it.each(Object.entries(problemKinds))('explains %s in a sentence', (code, { status, when }) => {
    expect(page).toContain(`| ${status} | \`${code}\` |`);
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(when).toMatch(/^\S.*\.$/);
    expect([
      400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 416, 422, 429, 431, 500, 501, 502, 503, 504, 507,
    ]).toContain(status);
  });

  it('lists the status of the reference server where it differs', () => {
    expect(page).toContain('| 400 | `name-emptied` | A change would set an empty name. | 403 |');
  });
});

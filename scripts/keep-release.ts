/**
 * Stores the built server for the tests of the next version, which upgrade its nodes one after the other. Run it after
 * `npm run build` of a release. It replaces the previous release.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const MAX_ARCHIVE_BYTES = 67_108_864;

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../test/fixtures/releases/', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const options = ['--create', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--directory', root];
const archive = execFileSync('tar', [...options, 'package.json', 'dist'], { maxBuffer: MAX_ARCHIVE_BYTES });
mkdirSync(target, { recursive: true });
for (const name of readdirSync(target)) rmSync(join(target, name));
const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(join(target, `${version}.tar.br`), brotliCompressSync(archive, { params: parameters }));
process.stdout.write(`test/fixtures/releases/${version}.tar.br\n`);

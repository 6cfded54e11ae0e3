/** Creates directories without `mkdir` of Node.js with `recursive`, which never returns in `/proc`. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findErrorCode } from '../problems/error-code.ts';

/** Creates a directory and its missing parents, and returns those that were created, the outermost first. */
export async function createFolder(path: string, mode = 0o700): Promise<readonly string[]> {
  try {
    await mkdir(path, { mode });
    return [path];
  } catch (error) {
    const code = findErrorCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return [];
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const parents = await createFolder(dirname(path), mode);
  try {
    await mkdir(path, { mode });
    return [...parents, path];
  } catch (error) {
    // Another process may create it as well.
    if (findErrorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return parents;
    if (findErrorCode(error) !== 'ENOENT') throw error;
    throw new Error(`no directory can be created in '${dirname(path)}'. Use another directory`, { cause: error });
  }
}

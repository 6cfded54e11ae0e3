import { path } from '../../../shell/router.ts';

/** The address of the map of a layer. */
export function toMapPath({ workspace, name }: { readonly workspace: string; readonly name: string }): string {
  return path`w/${workspace}/layers/${name}`;
}

/** Principal and matched route -> yes or no. Only the route is looked at, never the text of the path. */
import type { Principal } from '../lib/principal.ts';
import { problem } from '../lib/problem.ts';
import type { Resource } from './router.ts';

export const ANYONE = 'anyone';

/** The roles a method of a resource asks for; a method it does not have asks for all of them. */
function rolesFor<S>(resource: Resource<S>, method: string): readonly string[] {
  const route = resource.methods.get(method === 'HEAD' ? 'GET' : method);
  return route === undefined ? [...resource.methods.values()].map((each) => each.role) : [route.role];
}

export function isPublic<S>(resource: Resource<S>, method: string): boolean {
  return rolesFor(resource, method).every((role) => role === ANYONE);
}

export function authorize<S>(principal: Principal, resource: Resource<S>, method: string): void {
  for (const role of rolesFor(resource, method)) {
    if (role !== ANYONE && !principal.roles.has(role)) {
      throw problem('role-missing', { role });
    }
  }
}

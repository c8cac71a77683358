// What custom elements declare of themselves through ElementInternals. It counts where no attribute says otherwise.
import { ROLES, SYNONYMS } from './aria';
import { recOf } from './records';

/** declared is what the element declares for the attribute, null when it declares nothing. */
export function declared(el: Element, attr: string): string | null {
  const says = recOf(el)?.says;
  return says ? (JSON.parse(says) as Record<string, string>)[attr] ?? null : null;
}

/** stated is the attribute's value, or else what the element declares for it. */
export const stated = (el: Element, attr: string): string | null => el.getAttribute(attr) ?? declared(el, attr);

/** declaredRole is the role that a custom element declares, "generic" when it has none. */
export function declaredRole(el: Element): string {
  const role = declared(el, 'role');
  return role && ROLES.has(role) ? SYNONYMS[role] ?? role : 'generic';
}

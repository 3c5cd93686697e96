const PARAMETER = /\{(\w+)\}/g;

/** Puts ids into a path such as `/sites/{siteId}`, percent-encoded. */
export const fillPath = (template: string, ids: Record<string, string>): string =>
	template.replace(PARAMETER, (_, name: string) => encodeURIComponent(ids[name]!));

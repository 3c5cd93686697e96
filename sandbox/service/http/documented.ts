import type { Route } from './kit';

const acronyms: Record<string, string> = {
	dkim: 'DKIM',
	ip: 'IP',
	php: 'PHP',
	sso: 'SSO',
	url: 'URL',
	wp: 'WP',
};

const sentence = (words: string[]) => {
	const [first = '', ...rest] = words.map((word) => acronyms[word] ?? word);
	return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
};

/** Words of the paths below a site that are no resource, but what is done with the site. */
const verbs = ['update', 'sync'];

/** `/sites/{site_id}/activity-logs/enable` is one of the activity logs. */
function resourceIn(path: string): string {
	const [first = '', second] = path.split('/').filter((part) => /^[\w-]+$/.test(part));
	const isBelow = first === 'sites' && second !== undefined && !verbs.includes(second);
	return sentence((isBelow ? second : first).split('-'));
}

/** What the OpenAPI document says of an operation for people; its name is its summary by default. */
export const documented = ({ operationId, path, summary, tag, description }: Route) => ({
	summary: summary ?? sentence(operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase())),
	tags: [tag ?? resourceIn(path)],
	...(description !== undefined && { description }),
});

import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { entryFeed, logError } from '../../../nodes/ActivityLog/resources/activityLogEvents';

const entry = { id: 'e1', object_type: 'plugin', event_type: 'updated' };

it('an entry is an event of its type', () => {
	const { occurrences } = entryFeed({});
	expect(occurrences(entry)).toEqual([{ key: 'entry', event: 'updated' }]);
	expect(occurrences({ ...entry, id: 'e2', event_type: 'new' })).toEqual([
		{ key: 'entry', event: 'new' },
	]);
});

it('only entries of one of the object types and one of the event types count', () => {
	const counts = (objectTypes: string[], eventTypes: string[]) =>
		entryFeed({ objectTypes, eventTypes }).occurrences(entry).length === 1;
	expect(counts(['theme', 'plugin'], [])).toBe(true);
	expect(counts([], ['updated', 'deleted'])).toBe(true);
	expect(counts(['theme', 'user'], ['updated', 'deleted'])).toBe(false);
	expect(counts(['theme', 'plugin'], ['added', 'deleted'])).toBe(false);
});

it('only single values are sent in the query', () => {
	expect(entryFeed({}).query).toEqual({});
	const { url, query } = entryFeed({
		siteId: 's 1',
		objectTypes: ['plugin'],
		eventTypes: ['updated'],
		username: 'editor',
		ipAddress: '203.0.113.7',
		search: 'forms',
	});
	expect(url).toBe('/sites/s%201/activity-logs');
	expect(query).toEqual({
		'filters[object_type:eq]': 'plugin',
		'filters[event_type:eq]': 'updated',
		'filters[username:eq]': 'editor',
		'filters[ip_address:eq]': '203.0.113.7',
		'filters[search:contains]': 'forms',
	});
	const several = { objectTypes: ['plugin', 'theme'], eventTypes: ['added', 'edited'] };
	expect(entryFeed(several).query).toEqual({});
});

it('another order of the same types is the same choice', () => {
	const one = entryFeed({ objectTypes: ['theme', 'plugin'] });
	expect(one.choice).toEqual(entryFeed({ objectTypes: ['plugin', 'theme'] }).choice);
});

it('only the answer of a site without a log gets another message', () => {
	const node = { name: 'Trigger', type: 'activityLogTrigger' } as INode;
	const error = (httpCode: string) => new NodeApiError(node, {}, { httpCode, message: 'Why' });
	const other = error('404');
	expect(logError(node, other)).toBe(other);
	const off = logError(node, error('422'));
	expect(off.message).toBe('The activity log of this site is not enabled');
	expect(off.description).toMatch(/Activity Log.*Enable.*Why/);
	expect(off.httpCode).toBe('422');
});

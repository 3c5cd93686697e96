import type { INodeProperties } from 'n8n-workflow';
import { allNodes } from '../../support/engine';

/**
 * n8n's guidelines ask for optional fields in collections, such as Options. Those that are not in one are here, each
 * with its reason; another one belongs in a collection.
 */
const AT_THE_TOP: Record<string, string[]> = {
	'n8n has them there in its own nodes': ['returnAll', 'limit'],
	'n8n reads it there only, for the tools of a model': ['toolDescription', 'longestResult'],
	// In a collection that is an expression the choice, and with it a check or a part of a restore, would be lost.
	'it decides which other fields show': [
		...['onlyIf', 'includeFiles', 'includeDatabase', 'waitForCompletion', 'connectionMethod'],
		...['method', 'response', 'scope', 'realTimeEvents'],
	],
	'it narrows what a restore overwrites, and must not be lost with a collection': [
		'paths',
		'tables',
	],
	'it is needed with one choice only, which can be an expression': [
		...['until', 'fileId', 'path', 'modifiedAt', 'size', 'backupDestinationId', 'ftpCredentials'],
		...['updateFiles', 'earlierCheck'],
	],
	'it is what the request is, for which no typed field exists': ['query', 'body'],
	'without it a list of seven days looks like all of it': ['allTime'],
	'it decides what an item is, as Output does': ['itemsPer'],
};

const isOptional = ({ name, type, required }: INodeProperties) =>
	required !== true &&
	!['collection', 'fixedCollection', 'notice'].includes(type) &&
	!['resource', 'operation'].includes(name);

it('an optional field is in a collection, or has a reason not to be', async () => {
	const optional = (await allNodes()).flatMap(({ name: node, properties }) =>
		properties.filter(isOptional).map(({ name }) => ({ node, name })),
	);
	const known = Object.values(AT_THE_TOP).flat();
	expect(optional.filter(({ name }) => !known.includes(name))).toEqual([]);
	const used = new Set(optional.map(({ name }) => name));
	expect(known.filter((name) => !used.has(name))).toEqual([]);
});

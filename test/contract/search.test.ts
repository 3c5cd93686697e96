import type { INodeTypeDescription } from 'n8n-workflow';
import { actionNodes, allNodes } from '../support/engine';
import { found, OTHERS, pairsOf, WANTED } from '../support/searches';

/** What n8n's search for nodes finds of ours, by n8n's own function, and what it says of a node and its trigger. */

let types: INodeTypeDescription[];
beforeAll(async () => void (types = await allNodes()));

it('the searches are as many as they should be, and ask for each node', async () => {
	expect(new Set(WANTED.map(([search]) => search)).size).toBeGreaterThanOrEqual(40);
	expect(new Set(OTHERS).size).toBeGreaterThanOrEqual(20);
	const names = (await actionNodes()).map(({ name }) => name);
	expect([...new Set(WANTED.map(([, node]) => node))].sort()).toEqual(names);
});

it.each(WANTED)('"%s" finds %s first', (search, node) => {
	const [first, second] = found(search, types);
	expect(first?.node).toBe(node);
	// With equal scores the order of loading would decide.
	expect(first!.score).toBeGreaterThan(second?.score ?? -Infinity);
});

it.each(OTHERS)('"%s" finds none of ours', (search) => {
	expect(found(search, types)).toEqual([]);
});

it('no alias is the beginning of another one of its node, which finds the same', () => {
	for (const { name, codex } of types) {
		const aliases = codex?.alias ?? [];
		const beginsAnother = aliases.filter((alias, index) =>
			aliases.some((other, at) => at !== index && other.startsWith(alias)),
		);
		expect([name, beginsAnother]).toEqual([name, []]);
	}
});

it('above a node and its trigger n8n shows the text of the trigger, which describes both', () => {
	const pairs = pairsOf(types);
	expect(pairs).toHaveLength(types.filter(({ group }) => group.includes('trigger')).length);
	for (const { node, trigger } of pairs) {
		const [ofNode, ofTrigger] = trigger.description.split(', or start a workflow when ');
		expect([trigger.name, ofNode]).toEqual([trigger.name, node.description]);
		expect([trigger.name, ofTrigger]).toEqual([trigger.name, expect.stringMatching(/^[a-z].+\w$/)]);
	}
});

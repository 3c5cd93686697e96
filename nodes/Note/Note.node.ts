import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Resources } from '../shared/describe';
import { documentation, subtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { nodeOf } from '../shared/node';
import { note } from './resources/note';

const resources: Resources = [note];

export class Note implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Note',
		name: 'note',
		icon: {
			light: 'file:../../icons/note.svg',
			dark: 'file:../../icons/note.dark.svg',
		},
		group: ['transform'],
		version: [1],
		documentationUrl: documentation('nodes.md#site-management-note'),
		subtitle: subtitle(resources),
		description: 'Manage the notes of a site',
		defaults: {
			name: 'Site Management',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		...nodeOf(resources),
	};

	methods = methods;
}

import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { documentation, iconOf, methods, nodeOf, subtitle } from '../shared/node';
import { note } from './resources/note';

export class Note implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Note',
		name: 'note',
		icon: iconOf('note'),
		documentationUrl: documentation('nodes.md#site-management-note'),
		subtitle: subtitle(note),
		description: 'Manage the notes of a site',
		usableAsTool: true,
		...nodeOf(note),
	};

	methods = methods;
}

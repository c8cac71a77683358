import { EditorView, basicSetup } from 'codemirror';
import { javascript } from '@codemirror/lang-javascript';

window.codemirror = (parent, doc) => new EditorView({ parent, doc, extensions: [basicSetup, javascript()] });

# Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
"""The commands of Trailblaze, typed. Responses are dictionaries with the keys of their JSON."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Literal, NoReturn, TypedDict, TypeVar, cast

__tracebackhide__ = True  # of pytest

Self = TypeVar("Self")
# What carries out a procedure with its arguments, and gives its response, or all of them.
Caller = Callable[[str, dict[str, Any]], dict[str, Any]]
Streamer = Callable[[str, dict[str, Any]], Iterator[dict[str, Any]]]
AsyncCaller = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
AsyncStreamer = Callable[[str, dict[str, Any]], AsyncIterator[dict[str, Any]]]


def given(**args: Any) -> dict[str, Any]:
    return {name.rstrip('_'): value for name, value in args.items() if value is not None}


def by_name(method: str, params: str, unnamed: tuple[object, ...]) -> None:
    if unnamed:
        raise TypeError(f"{method} takes its arguments by their names: {method}({params})")

CallOptions = TypedDict("CallOptions", {
    "clientId": str,
    "client": str,
    "workspace": str,
    "intent": str,
    "maxTokens": int,
    "invocationId": str,
    "secrets": dict[str, str],
    "detach": bool,
    "modelKeys": dict[str, str],
}, total=False)

CallInfo = TypedDict("CallInfo", {
    "callId": str,
    "deviceId": str,
    "sessionId": str,
    "platform": str,
    "durationMs": float,
    "warnings": list[str],
    "job": str,
    "clientId": str,
    "content": list["Content"],
    "observation": "Observation",
    "fromPage": bool,
}, total=False)

Content = TypedDict("Content", {
    "text": str,
    "image": "Image",
}, total=False)

Image = TypedDict("Image", {
    "data": str,
    "mimeType": str,
}, total=False)

Observation = TypedDict("Observation", {
    "text": str,
    "full": bool,
    "changed": bool,
    "changes": int,
    "truncated": bool,
    "rest": str,
    "settle": str,
    "url": str,
    "title": str,
    "image": "Image",
}, total=False)

ActionResult = TypedDict("ActionResult", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
}, total=False)

Failure = TypedDict("Failure", {
    "kind": str,
    "message": str,
    "hint": str,
    "device": str,
    "looked": str,
    "candidates": list[str],
    "sinceGreen": list[str],
    "log": list[str],
    "next": list["NextCall"],
}, total=False)

NextCall = TypedDict("NextCall", {
    "tool": str,
    "action": str,
}, total=False)

Progress = TypedDict("Progress", {
    "elapsedMs": float,
    "message": str,
    "step": int,
    "total": int,
    "event": str,
}, total=False)

ToolResult = TypedDict("ToolResult", {
    "value": Any,
    "isError": bool,
    "failure": "Failure",
    "valueJson": str,
}, total=False)

CallContext = TypedDict("CallContext", {
    "baseUrl": str,
    "sessionId": str,
    "invocationId": str,
    "device": "CallDevice",
    "memory": dict[str, Any],
    "target": "CallTarget",
    "capabilities": dict[str, bool],
}, total=False)

CallDevice = TypedDict("CallDevice", {
    "id": str,
    "platform": str,
    "width": int,
    "height": int,
    "widthPixels": int,
    "heightPixels": int,
    "driverType": str,
}, total=False)

CallTarget = TypedDict("CallTarget", {
    "id": str,
    "displayName": str,
    "appIds": list[str],
    "appId": str,
    "baseUrls": dict[str, str],
    "resolvedBaseUrl": str,
}, total=False)

AdbShellResponse = TypedDict("AdbShellResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "stdout": str,
    "stderr": str,
    "exitCode": int,
}, total=False)

AddToolCategoryResponse = TypedDict("AddToolCategoryResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

Categories = TypedDict("Categories", {
    "category": str,
    "on": bool,
    "tools": int,
    "tokens": int,
    "about": str,
}, total=False)

AndroidAdbShellResponse = TypedDict("AndroidAdbShellResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "stdout": str,
    "stderr": str,
    "exitCode": int,
}, total=False)

AndroidSendBroadcastRequestExtras = TypedDict("AndroidSendBroadcastRequestExtras", {
    "key": str,
    "type": str,
    "value": str,
}, total=False)

AskResponse = TypedDict("AskResponse", {
    "call": "CallInfo",
    "status": str,
    "explanation": str,
    "answer": str,
    "unproven": bool,
    "checks": list[str],
    "toolCalls": int,
    "usage": "Usage",
    "model": str,
    "judged": "AskResponseJudged",
    "plan": list["Plan"],
    "planned": list["Planned"],
    "toolTokens": "ToolTokens",
}, total=False)

Usage = TypedDict("Usage", {
    "calls": int,
    "inputTokens": int,
    "cachedInputTokens": int,
    "outputTokens": int,
    "costUsd": float,
}, total=False)

AskResponseJudged = TypedDict("AskResponseJudged", {
    "ruling": str,
    "why": str,
    "model": str,
    "usage": "AskResponseJudgedUsage",
}, total=False)

AskResponseJudgedUsage = TypedDict("AskResponseJudgedUsage", {
    "calls": int,
    "inputTokens": int,
    "cachedInputTokens": int,
    "outputTokens": int,
    "costUsd": float,
}, total=False)

Plan = TypedDict("Plan", {
    "tool": str,
    "args": Any,
    "targets": list[str],
    "alternatives": list[str],
    "risk": str,
    "why": list[str],
    "refused": str,
}, total=False)

Planned = TypedDict("Planned", {
    "kind": str,
    "text": str,
    "categories": list[str],
    "status": str,
}, total=False)

ToolTokens = TypedDict("ToolTokens", {
    "sentTokens": int,
    "allTokens": int,
}, total=False)

Fingerprint = TypedDict("Fingerprint", {
    "role": str,
    "name": str,
    "text": str,
    "tag": str,
    "testId": str,
    "class": list[str],
    "within": list[str],
    "editor": bool,
    "item": str,
    "near": list[str],
    "column": str,
    "alike": int,
    "place": str,
}, total=False)

AwaitScreenResponse = TypedDict("AwaitScreenResponse", {
    "call": "CallInfo",
    "screen": str,
    "device": str,
}, total=False)

BatchRequestCalls = TypedDict("BatchRequestCalls", {
    "tool": str,
    "args": dict[str, Any],
}, total=False)

CaptureScreenResponse = TypedDict("CaptureScreenResponse", {
    "call": "CallInfo",
    "found": bool,
    "name": str,
    "url": str,
    "title": str,
    "platform": str,
    "width": int,
    "height": int,
    "quality": "Quality",
    "dialog": "Dialog",
    "text": str,
}, total=False)

Quality = TypedDict("Quality", {
    "verdict": str,
    "reasons": list[str],
}, total=False)

Dialog = TypedDict("Dialog", {
    "type": str,
    "message": str,
    "default": str,
}, total=False)

ConfigResponse = TypedDict("ConfigResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

Settings = TypedDict("Settings", {
    "key": str,
    "value": str,
    "source": str,
}, total=False)

ConfigureSessionResponse = TypedDict("ConfigureSessionResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

ConnectToDeviceResponse = TypedDict("ConnectToDeviceResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "devices": list["Devices"],
    "done": str,
}, total=False)

Devices = TypedDict("Devices", {
    "id": str,
    "platform": str,
    "state": str,
    "yours": bool,
    "holder": str,
    "running": str,
    "reserved": str,
    "quarantine": str,
    "url": str,
    "session": str,
    "actions": int,
    "size": str,
    "version": str,
    "workspace": str,
}, total=False)

DeviceResponse = TypedDict("DeviceResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "devices": list["Devices"],
    "done": str,
}, total=False)

DumpMemoryResponse = TypedDict("DumpMemoryResponse", {
    "call": "CallInfo",
    "memory": dict[str, Any],
    "hidden": list[str],
}, total=False)

EnableToolCategoriesResponse = TypedDict("EnableToolCategoriesResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

EndSessionResponse = TypedDict("EndSessionResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "sessions": list["Sessions"],
    "saved": "Saved",
    "trail": str,
    "artifacts": list["Artifacts"],
    "warnings": list[str],
}, total=False)

Sessions = TypedDict("Sessions", {
    "id": str,
    "title": str,
    "device": str,
    "state": str,
    "outcome": str,
    "started": str,
    "for": str,
    "actions": int,
}, total=False)

Saved = TypedDict("Saved", {
    "path": str,
    "change": str,
    "steps": int,
    "actions": int,
    "warnings": list[str],
}, total=False)

Artifacts = TypedDict("Artifacts", {
    "kind": str,
    "file": str,
    "mime": str,
    "why": str,
    "step": int,
    "size": int,
}, total=False)

EvaluateJsResponse = TypedDict("EvaluateJsResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "result": Any,
}, total=False)

FindMatchesResponse = TypedDict("FindMatchesResponse", {
    "call": "CallInfo",
    "matches": list["Matches"],
}, total=False)

Matches = TypedDict("Matches", {
    "indexPath": str,
    "bounds": "Bounds",
    "matchedText": str,
    "accessibilityId": str,
    "resourceId": str,
    "ref": str,
    "visible": bool,
}, total=False)

Bounds = TypedDict("Bounds", {
    "x": float,
    "y": float,
    "w": float,
    "h": float,
}, total=False)

FocusOnCategoryResponse = TypedDict("FocusOnCategoryResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

GetElementCountResponse = TypedDict("GetElementCountResponse", {
    "call": "CallInfo",
    "count": int,
}, total=False)

GetElementTextResponse = TypedDict("GetElementTextResponse", {
    "call": "CallInfo",
    "found": bool,
    "text": str,
}, total=False)

GetScreenshotResponse = TypedDict("GetScreenshotResponse", {
    "call": "CallInfo",
    "width": int,
    "height": int,
    "bytes": str,
    "mime": str,
    "url": str,
}, total=False)

GetSessionConfigResponse = TypedDict("GetSessionConfigResponse", {
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

HasTextResponse = TypedDict("HasTextResponse", {
    "call": "CallInfo",
    "hasText": bool,
}, total=False)

IsVisibleResponse = TypedDict("IsVisibleResponse", {
    "call": "CallInfo",
    "visible": bool,
    "exists": bool,
    "why": str,
}, total=False)

ListToolCategoriesResponse = TypedDict("ListToolCategoriesResponse", {
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

MobileListInstalledAppsResponse = TypedDict("MobileListInstalledAppsResponse", {
    "call": "CallInfo",
    "appIds": list[str],
}, total=False)

MobileListInstalledAppsDetailedResponse = TypedDict("MobileListInstalledAppsDetailedResponse", {
    "call": "CallInfo",
    "apps": list["MobileListInstalledAppsDetailedResponseApps"],
}, total=False)

MobileListInstalledAppsDetailedResponseApps = TypedDict("MobileListInstalledAppsDetailedResponseApps", {
    "appId": str,
    "versionCode": int,
    "system": bool,
}, total=False)

ReloadToolsResponse = TypedDict("ReloadToolsResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "added": list[str],
    "removed": list[str],
    "total": int,
    "warnings": list[str],
}, total=False)

RemoveToolCategoryResponse = TypedDict("RemoveToolCategoryResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

RepeatRequestWhile = TypedDict("RepeatRequestWhile", {
    "visible": Any,
    "notVisible": Any,
    "query": dict[str, Any],
}, total=False)

RepeatRequestUntil = TypedDict("RepeatRequestUntil", {
    "visible": Any,
    "notVisible": Any,
    "query": dict[str, Any],
}, total=False)

RequestDetailedViewHierarchyResponse = TypedDict("RequestDetailedViewHierarchyResponse", {
    "call": "CallInfo",
    "found": bool,
    "name": str,
    "url": str,
    "title": str,
    "platform": str,
    "width": int,
    "height": int,
    "quality": "Quality",
    "dialog": "Dialog",
    "text": str,
}, total=False)

SessionResponse = TypedDict("SessionResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "sessions": list["Sessions"],
    "saved": "Saved",
    "trail": str,
    "artifacts": list["Artifacts"],
    "warnings": list[str],
}, total=False)

SetAutoIncludeScreenshotResponse = TypedDict("SetAutoIncludeScreenshotResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

SetLlmCallStrategyResponse = TypedDict("SetLlmCallStrategyResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

SetModeResponse = TypedDict("SetModeResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

SetScreenshotFormatResponse = TypedDict("SetScreenshotFormatResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

SetTargetAppResponse = TypedDict("SetTargetAppResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

SetViewHierarchyVerbosityResponse = TypedDict("SetViewHierarchyVerbosityResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

StatusResponse = TypedDict("StatusResponse", {
    "call": "CallInfo",
    "version": str,
    "uptime": str,
    "clientId": str,
    "clients": int,
    "calls": list["StatusResponseCalls"],
    "devices": list["Devices"],
    "jobs": list["Jobs"],
}, total=False)

StatusResponseCalls = TypedDict("StatusResponseCalls", {
    "id": str,
    "tool": str,
    "client": str,
    "device": str,
    "for": str,
    "waits": bool,
}, total=False)

Jobs = TypedDict("Jobs", {
    "id": str,
    "tool": str,
    "device": str,
    "state": str,
    "for": str,
    "last": str,
}, total=False)

StepResponse = TypedDict("StepResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "status": str,
    "explanation": str,
    "answer": str,
    "unproven": bool,
    "checks": list[str],
    "toolCalls": int,
    "usage": "Usage",
    "model": str,
    "judged": "StepResponseJudged",
    "plan": list["Plan"],
    "planned": list["Planned"],
    "toolTokens": "ToolTokens",
}, total=False)

StepResponseJudged = TypedDict("StepResponseJudged", {
    "ruling": str,
    "why": str,
    "model": str,
    "usage": "StepResponseJudgedUsage",
}, total=False)

StepResponseJudgedUsage = TypedDict("StepResponseJudgedUsage", {
    "calls": int,
    "inputTokens": int,
    "cachedInputTokens": int,
    "outputTokens": int,
    "costUsd": float,
}, total=False)

SwitchTargetAppResponse = TypedDict("SwitchTargetAppResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "clientId": str,
    "settings": list["Settings"],
    "warnings": list[str],
}, total=False)

SwitchToolSetResponse = TypedDict("SwitchToolSetResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

TakeSnapshotResponse = TypedDict("TakeSnapshotResponse", {
    "call": "CallInfo",
    "found": bool,
    "name": str,
    "url": str,
    "title": str,
    "platform": str,
    "width": int,
    "height": int,
    "quality": "Quality",
    "dialog": "Dialog",
    "text": str,
}, total=False)

ToolboxResponse = TypedDict("ToolboxResponse", {
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list["Tools"],
}, total=False)

Tools = TypedDict("Tools", {
    "name": str,
    "summary": str,
    "kind": str,
    "categories": list[str],
    "listed": bool,
    "description": str,
    "input": Any,
}, total=False)

TrailEditResponse = TypedDict("TrailEditResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "file": str,
    "done": str,
    "steps": list["Steps"],
}, total=False)

Steps = TypedDict("Steps", {
    "index": int,
    "kind": str,
    "text": str,
    "recorded": list[str],
    "calls": list[str],
}, total=False)

UseMinimalToolsResponse = TypedDict("UseMinimalToolsResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

UseStandardToolsResponse = TypedDict("UseStandardToolsResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

UseTestingToolsResponse = TypedDict("UseTestingToolsResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "done": str,
    "categories": list["Categories"],
    "tools": list[str],
}, total=False)

VerifyResponse = TypedDict("VerifyResponse", {
    "call": "CallInfo",
    "status": str,
    "explanation": str,
    "answer": str,
    "unproven": bool,
    "checks": list[str],
    "toolCalls": int,
    "usage": "Usage",
    "model": str,
    "judged": "VerifyResponseJudged",
    "plan": list["Plan"],
    "planned": list["Planned"],
    "toolTokens": "ToolTokens",
}, total=False)

VerifyResponseJudged = TypedDict("VerifyResponseJudged", {
    "ruling": str,
    "why": str,
    "model": str,
    "usage": "VerifyResponseJudgedUsage",
}, total=False)

VerifyResponseJudgedUsage = TypedDict("VerifyResponseJudgedUsage", {
    "calls": int,
    "inputTokens": int,
    "cachedInputTokens": int,
    "outputTokens": int,
    "costUsd": float,
}, total=False)

ViewHierarchyResponse = TypedDict("ViewHierarchyResponse", {
    "call": "CallInfo",
    "found": bool,
    "name": str,
    "url": str,
    "title": str,
    "platform": str,
    "width": int,
    "height": int,
    "quality": "Quality",
    "dialog": "Dialog",
    "text": str,
}, total=False)

WebAssertNetworkEventResponse = TypedDict("WebAssertNetworkEventResponse", {
    "call": "CallInfo",
    "id": str,
    "seq": str,
    "method": str,
    "url": str,
    "type": str,
    "status": int,
    "error": str,
    "headers": dict[str, str],
    "postData": str,
    "mime": str,
    "started": str,
    "duration": str,
    "done": bool,
    "mocked": bool,
}, total=False)

Position = TypedDict("Position", {
    "x": float,
    "y": float,
}, total=False)

WebConsoleResponse = TypedDict("WebConsoleResponse", {
    "call": "CallInfo",
    "messages": list["Messages"],
    "omitted": int,
}, total=False)

Messages = TypedDict("Messages", {
    "seq": str,
    "level": str,
    "text": str,
    "source": str,
    "time": str,
}, total=False)

WebCurrentUrlResponse = TypedDict("WebCurrentUrlResponse", {
    "call": "CallInfo",
    "url": str,
    "title": str,
}, total=False)

WebDialogsResponse = TypedDict("WebDialogsResponse", {
    "call": "CallInfo",
    "dialogs": list["Dialogs"],
}, total=False)

Dialogs = TypedDict("Dialogs", {
    "type": str,
    "message": str,
    "default": str,
    "accepted": bool,
    "answer": str,
}, total=False)

WebDownloadsResponse = TypedDict("WebDownloadsResponse", {
    "call": "CallInfo",
    "downloads": list["Downloads"],
}, total=False)

Downloads = TypedDict("Downloads", {
    "id": str,
    "name": str,
    "url": str,
    "bytes": str,
    "state": str,
}, total=False)

ToFingerprint = TypedDict("ToFingerprint", {
    "role": str,
    "name": str,
    "text": str,
    "tag": str,
    "testId": str,
    "class": list[str],
    "within": list[str],
    "editor": bool,
    "item": str,
    "near": list[str],
    "column": str,
    "alike": int,
    "place": str,
}, total=False)

WebEvaluateResponse = TypedDict("WebEvaluateResponse", {
    "success": bool,
    "failure": "Failure",
    "call": "CallInfo",
    "result": Any,
}, total=False)

WebGetStorageStateResponse = TypedDict("WebGetStorageStateResponse", {
    "call": "CallInfo",
    "cookies": list[Any],
    "origins": list[Any],
}, total=False)

WebListFramesResponse = TypedDict("WebListFramesResponse", {
    "call": "CallInfo",
    "frames": list["Frames"],
}, total=False)

Frames = TypedDict("Frames", {
    "frame": int,
    "ref": str,
    "name": str,
    "nodes": int,
}, total=False)

WebListTabsResponse = TypedDict("WebListTabsResponse", {
    "call": "CallInfo",
    "tabs": list["Tabs"],
}, total=False)

Tabs = TypedDict("Tabs", {
    "id": str,
    "url": str,
    "title": str,
    "active": bool,
    "opener": str,
}, total=False)

WebRequestDetailsResponse = TypedDict("WebRequestDetailsResponse", {
    "call": "CallInfo",
    "found": bool,
    "name": str,
    "url": str,
    "title": str,
    "platform": str,
    "width": int,
    "height": int,
    "quality": "Quality",
    "dialog": "Dialog",
    "text": str,
}, total=False)

WebRequestsResponse = TypedDict("WebRequestsResponse", {
    "call": "CallInfo",
    "requests": list["Requests"],
    "omitted": int,
}, total=False)

Requests = TypedDict("Requests", {
    "id": str,
    "seq": str,
    "method": str,
    "url": str,
    "type": str,
    "status": int,
    "error": str,
    "headers": dict[str, str],
    "postData": str,
    "mime": str,
    "started": str,
    "duration": str,
    "done": bool,
    "mocked": bool,
}, total=False)

WebSnapshotResponse = TypedDict("WebSnapshotResponse", {
    "call": "CallInfo",
    "found": bool,
    "name": str,
    "url": str,
    "title": str,
    "platform": str,
    "width": int,
    "height": int,
    "quality": "Quality",
    "dialog": "Dialog",
    "text": str,
}, total=False)

WebWaitForDownloadResponse = TypedDict("WebWaitForDownloadResponse", {
    "call": "CallInfo",
    "id": str,
    "name": str,
    "url": str,
    "bytes": str,
    "state": str,
}, total=False)

WebWaitForUrlResponse = TypedDict("WebWaitForUrlResponse", {
    "call": "CallInfo",
    "url": str,
    "title": str,
}, total=False)

TrailblazeToolRegistry = TypedDict("TrailblazeToolRegistry", {
    "tools": dict[str, "ToolMetadata"],
    "groups": dict[str, "GroupInfo"],
    "serverInfo": "ServerInfo",
}, total=False)

ToolMetadata = TypedDict("ToolMetadata", {
    "platforms": list[str],
    "groups": list[str],
    "exposedToLlm": bool,
    "isRecordable": bool,
    "isDelegating": bool,
    "kind": str,
    "timeoutMs": int,
    "secretArguments": list[str],
    "drivers": list[str],
    "effect": str,
}, total=False)

GroupInfo = TypedDict("GroupInfo", {
    "description": str,
    "defaultEnabled": bool,
}, total=False)

ServerInfo = TypedDict("ServerInfo", {
    "name": str,
    "version": str,
}, total=False)

ListSessionsResponse = TypedDict("ListSessionsResponse", {
    "sessions": list["Session"],
}, total=False)

Session = TypedDict("Session", {
    "sessionId": str,
    "deviceId": str,
    "title": str,
    "platform": str,
}, total=False)

WatchEventsResponse = TypedDict("WatchEventsResponse", {
    "event": "Event",
}, total=False)

Event = TypedDict("Event", {
    "seq": str,
    "time": str,
    "type": str,
    "data": dict[str, Any],
}, total=False)

ReadArtifactResponse = TypedDict("ReadArtifactResponse", {
    "data": str,
}, total=False)

GetMemoryResponse = TypedDict("GetMemoryResponse", {
    "values": dict[str, Any],
}, total=False)

CallToolResponse = TypedDict("CallToolResponse", {
    "call": "CallInfo",
    "result": "ToolResult",
    "refusal": "Failure",
}, total=False)

WatchToolResponse = TypedDict("WatchToolResponse", {
    "progress": "Progress",
    "result": "CallToolResponse",
}, total=False)

ListToolsResponse = TypedDict("ListToolsResponse", {
    "tools": list["Tool"],
}, total=False)

Tool = TypedDict("Tool", {
    "name": str,
    "title": str,
    "description": str,
    "kind": str,
    "inputSchema": dict[str, Any],
    "outputSchema": dict[str, Any],
    "management": bool,
    "origin": str,
    "platforms": list[str],
}, total=False)

CancelCallsResponse = TypedDict("CancelCallsResponse", {
    "canceled": int,
}, total=False)

GetBackendsResponse = TypedDict("GetBackendsResponse", {
    "platform": str,
    "mobile": "Backend",
    "web": "Backend",
    "desktop": "Backend",
}, total=False)

Backend = TypedDict("Backend", {
    "service": str,
    "tools": list[str],
}, total=False)


class TrailblazeCommands:
    """TrailblazeCommands holds the commands that work on devices of every kind."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream

    def adb_shell(self, command: str) -> AdbShellResponse:
        """Runs a line in the phone's shell: stdout, stderr and exit status."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AdbShell", given(command=command))
        return cast(AdbShellResponse, response)

    def android_adb_shell(self, *unnamed: NoReturn, command: list[str] | None = None, run_as: str | None = None) -> AndroidAdbShellResponse:
        """Runs a program of the phone with its arguments, without a shell's own characters: stdout, stderr and exit status."""
        by_name("android_adb_shell", "command=…, run_as=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidAdbShell", given(command=command, run_as=run_as))
        return cast(AndroidAdbShellResponse, response)

    def android_grant_app_ops_permission(self, app_id: str, permission: str) -> ActionResult:
        """Allows an app an operation that `appops` keeps, such as access to all files."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidGrantAppOpsPermission", given(app_id=app_id, permission=permission))
        return cast(ActionResult, response)

    def android_grant_permissions(self, app_id: str, *, permissions: list[str] | None = None) -> ActionResult:
        """Grants an app permissions, so that it does not ask for them."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidGrantPermissions", given(app_id=app_id, permissions=permissions))
        return cast(ActionResult, response)

    def android_send_broadcast(self, action: str, component_package: str, component_class: str, *, extras: list["AndroidSendBroadcastRequestExtras"] | None = None) -> ActionResult:
        """Sends a broadcast to a receiver of an app, with extras, and waits for its result."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidSendBroadcast", given(action=action, component_package=component_package, component_class=component_class, extras=extras))
        return cast(ActionResult, response)

    def android_system_ui_demo_mode(self, enable: bool | None = None) -> ActionResult:
        """Gives the status bar the same look in every picture (noon, full battery, no notifications), or ends that."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidSystemUiDemoMode", given(enable=enable))
        return cast(ActionResult, response)

    def android_write_bytes_to_file(self, device_path: str, base64_content: str) -> ActionResult:
        """Writes a file on the phone, where its shell may write."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidWriteBytesToFile", given(device_path=device_path, base64_content=base64_content))
        return cast(ActionResult, response)

    def android_write_file_to_downloads(self, file_name: str, content: str) -> ActionResult:
        """Writes a text file into the phone's folder of downloads."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AndroidWriteFileToDownloads", given(file_name=file_name, content=content))
        return cast(ActionResult, response)

    def ask(self, prompt: str, *, llm: str | None = None) -> AskResponse:
        """Answers a question about the screen in plain language, such as "What does shipping cost?", from what the device shows."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Ask", given(prompt=prompt, llm=llm))
        return cast(AskResponse, response)

    def assert_equals(self, actual: Any, expected: Any) -> ActionResult:
        """Asserts that two values are the same, white space around them aside."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertEquals", given(actual=actual, expected=expected))
        return cast(ActionResult, response)

    def assert_math(self, expression: str, expected: str) -> ActionResult:
        """Asserts that an arithmetic expression comes to a number, within 0.0001: `expression: "{{price}} * {{count}}"`, `expected: "{{total}}"`."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertMath", given(expression=expression, expected=expected))
        return cast(ActionResult, response)

    def assert_not_equals(self, actual: Any, expected: Any) -> ActionResult:
        """Asserts that two values differ."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertNotEquals", given(actual=actual, expected=expected))
        return cast(ActionResult, response)

    def assert_not_visible_by_selector(self, node_selector: dict[str, Any], *, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that nobody can see an element that the selector names, waiting until it is gone and the screen has settled."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertNotVisibleBySelector", given(node_selector=node_selector, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_not_visible_with_text(self, text: str, *, id: str | None = None, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that nobody can see a text, waiting until it is gone and the screen has settled."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertNotVisibleWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_visible(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, text: str | None = None, id: str | None = None, expected_text: str | None = None, text_match_mode: Literal["EXACT", "PREFIX", "REGEX"] | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that a person can see an element, named by `ref`, `text` or `id`, and optionally that its text is `expectedText`."""
        by_name("assert_visible", "ref=…, node_selector=…, fingerprint=…, text=…, id=…, expected_text=…, text_match_mode=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertVisible", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, text=text, id=id, expected_text=expected_text, text_match_mode=text_match_mode, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_visible_by_selector(self, node_selector: dict[str, Any], *, fingerprint: "Fingerprint" | None = None, expected_text: str | None = None, text_match_mode: Literal["EXACT", "PREFIX", "REGEX"] | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that a person can see the element that a durable selector names, and optionally that its text is `expectedText`."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleBySelector", given(node_selector=node_selector, fingerprint=fingerprint, expected_text=expected_text, text_match_mode=text_match_mode, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_visible_with_accessibility_text(self, accessibility_text: str, *, id: str | None = None, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that an element with an accessible name, or part of it in whole words, is visible."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleWithAccessibilityText", given(accessibility_text=accessibility_text, id=id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_visible_with_resource_id(self, resource_id: str, *, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that the element with a test id or id attribute is visible."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleWithResourceId", given(resource_id=resource_id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_visible_with_text(self, text: str, *, id: str | None = None, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that an element with a text, or part of it in whole words, is visible."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def assert_with_ai(self, prompt: str, *, llm: str | None = None) -> ActionResult:
        """Asserts a statement in plain language about what the screen shows, such as "the chart rises", by the judgement of a language model."""
        response = self._call("trailblaze.v1.TrailblazeCommands/AssertWithAi", given(prompt=prompt, llm=llm))
        return cast(ActionResult, response)

    def batch(self, calls: list["BatchRequestCalls"] | None = None) -> ActionResult:
        """Makes several calls in one request, in order, and answers with what each did and one combined view of what changed."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Batch", given(calls=calls))
        return cast(ActionResult, response)

    def capture_screen(self) -> CaptureScreenResponse:
        """Returns the screen as it is now: text, data and picture."""
        response = self._call("trailblaze.v1.TrailblazeCommands/CaptureScreen", given())
        return cast(CaptureScreenResponse, response)

    def clear_app_data(self, package_id: str | None = None) -> ActionResult:
        """Removes all that an app has stored on the device."""
        response = self._call("trailblaze.v1.TrailblazeCommands/ClearAppData", given(package_id=package_id))
        return cast(ActionResult, response)

    def clear_text(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Empties the field that has the focus."""
        by_name("clear_text", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/ClearText", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def drag_by_points(self, start_x: int, start_y: int, end_x: int, end_y: int, *, duration_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses at one point, moves to another, and lets go."""
        response = self._call("trailblaze.v1.TrailblazeCommands/DragByPoints", given(start_x=start_x, start_y=start_y, end_x=end_x, end_y=end_y, duration_ms=duration_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def drag_to(self, ref: str, *, to_ref: str | None = None, to_x: float | None = None, to_y: float | None = None, duration_ms: int | None = None) -> ActionResult:
        """Drags an element, named by `ref`, onto another one (`toRef`) or to a point (`toX`, `toY`) in one continuous movement."""
        response = self._call("trailblaze.v1.TrailblazeCommands/DragTo", given(ref=ref, to_ref=to_ref, to_x=to_x, to_y=to_y, duration_ms=duration_ms))
        return cast(ActionResult, response)

    def dump_memory(self) -> DumpMemoryResponse:
        """Shows all that is remembered."""
        response = self._call("trailblaze.v1.TrailblazeCommands/DumpMemory", given())
        return cast(DumpMemoryResponse, response)

    def erase_text(self, *unnamed: NoReturn, characters_to_erase: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Removes characters before the caret in the field that has the focus: `charactersToErase` of them, or all."""
        by_name("erase_text", "characters_to_erase=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/EraseText", given(characters_to_erase=characters_to_erase, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def find_matches(self, selector: dict[str, Any], *, timeout_ms: int | None = None) -> FindMatchesResponse:
        """Lists the elements that a selector matches, with their text, ids and places."""
        response = self._call("trailblaze.v1.TrailblazeCommands/FindMatches", given(selector=selector, timeout_ms=timeout_ms))
        return cast(FindMatchesResponse, response)

    def get_element_count(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> int:
        """Counts the elements with a text or id that a person can see, scrolling allowed."""
        by_name("get_element_count", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/GetElementCount", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return int(response.get("count") or 0)

    def get_element_text(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> str | None:
        """Returns what an element shows: a field's value, else its text."""
        by_name("get_element_text", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/GetElementText", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return response.get("text")

    def get_screenshot(self, *unnamed: NoReturn, format: Literal["JPEG", "PNG", "WEBP"] | None = None, quality: int | None = None, full_page: bool | None = None, ref: str | None = None, max_dimension: int | None = None, screen_name: str | None = None) -> GetScreenshotResponse:
        """Takes a picture of the screen: JPEG by default, `fullPage` for the whole page, `ref` for one element, `maxDimension` for its size."""
        by_name("get_screenshot", "format=…, quality=…, full_page=…, ref=…, max_dimension=…, screen_name=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/GetScreenshot", given(format=format, quality=quality, full_page=full_page, ref=ref, max_dimension=max_dimension, screen_name=screen_name))
        return cast(GetScreenshotResponse, response)

    def grant_permission(self, package_id: str, permission: str) -> ActionResult:
        """Grants an app one permission, so that it does not ask for it."""
        response = self._call("trailblaze.v1.TrailblazeCommands/GrantPermission", given(package_id=package_id, permission=permission))
        return cast(ActionResult, response)

    def has_text(self, text: str) -> bool:
        """Says whether a person can read a text on the screen, scrolling allowed."""
        response = self._call("trailblaze.v1.TrailblazeCommands/HasText", given(text=text))
        return bool(response.get("hasText") or 0)

    def hide_keyboard(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Closes the on-screen keyboard."""
        by_name("hide_keyboard", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/HideKeyboard", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def http_get(self, url: str, *, headers: dict[str, str] | None = None) -> ActionResult:
        """Asks an HTTP server with GET and gives its answer: status, type and body."""
        response = self._call("trailblaze.v1.TrailblazeCommands/HttpGet", given(url=url, headers=headers))
        return cast(ActionResult, response)

    def http_send(self, url: str, *, headers: dict[str, str] | None = None, method: Literal["POST", "PUT", "PATCH", "DELETE"] | None = None, body: str | None = None, expect_status: int | None = None) -> ActionResult:
        """Sends a request that changes something to an HTTP server (POST, PUT, PATCH, DELETE), such as one that prepares data for a test."""
        response = self._call("trailblaze.v1.TrailblazeCommands/HttpSend", given(url=url, headers=headers, method=method, body=body, expect_status=expect_status))
        return cast(ActionResult, response)

    def input_text(self, text: str, *, hide_keyboard_after: bool | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Types text into the field that has the focus."""
        response = self._call("trailblaze.v1.TrailblazeCommands/InputText", given(text=text, hide_keyboard_after=hide_keyboard_after, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def input_text_random(self, variable: str, *, prefix: str | None = None, digit_count: int | None = None, hide_keyboard_after: bool | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Types a prefix and random digits into the field that has the focus, and remembers the text under `variable`."""
        response = self._call("trailblaze.v1.TrailblazeCommands/InputTextRandom", given(variable=variable, prefix=prefix, digit_count=digit_count, hide_keyboard_after=hide_keyboard_after, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def is_visible(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> bool:
        """Says whether a person can see an element now, and if not, why."""
        by_name("is_visible", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/IsVisible", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return bool(response.get("visible") or 0)

    def launch_app(self, app_id: str | None = None, *, package_id: str | None = None, launch_mode: Literal["REINSTALL", "RESUME", "FORCE_RESTART"] | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Starts an app."""
        response = self._call("trailblaze.v1.TrailblazeCommands/LaunchApp", given(app_id=app_id if app_id is not None else package_id, launch_mode=launch_mode, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def long_press(self, *unnamed: NoReturn, ref: str | None = None, text: str | None = None, id: str | None = None, index: int | None = None, x: float | None = None, y: float | None = None, long_press: bool | None = None) -> ActionResult:
        """Presses an element and holds it for a moment, for context menus and drag handles."""
        by_name("long_press", "ref=…, text=…, id=…, index=…, x=…, y=…, long_press=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/LongPress", given(ref=ref, text=text, id=id, index=index, x=x, y=y, long_press=long_press))
        return cast(ActionResult, response)

    def long_press_element_with_accessibility_text(self, *unnamed: NoReturn, accessibility_text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses and holds the element with an accessible name, or part of it in whole words."""
        by_name("long_press_element_with_accessibility_text", "accessibility_text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/LongPressElementWithAccessibilityText", given(accessibility_text=accessibility_text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def long_press_on_element_with_text(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses and holds the element that shows a text, or part of it in whole words."""
        by_name("long_press_on_element_with_text", "text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/LongPressOnElementWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def maestro(self, commands: list[Any] | None = None) -> ActionResult:
        """Carries out commands in Maestro's spelling, in order, and stops at the first that fails."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Maestro", given(commands=commands))
        return cast(ActionResult, response)

    def network_connection(self, connected: bool) -> ActionResult:
        """Turns the phone's airplane mode on or off."""
        response = self._call("trailblaze.v1.TrailblazeCommands/NetworkConnection", given(connected=connected))
        return cast(ActionResult, response)

    def open_url(self, url: str, *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a URL: in the browser, or with the app that a phone opens it with."""
        response = self._call("trailblaze.v1.TrailblazeCommands/OpenUrl", given(url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def pinch(self, scale: float, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Zooms with two fingers around an element or the middle of the screen: `scale` above 1 zooms in, below 1 zooms out."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Pinch", given(scale=scale, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def press_back(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Goes back: the back button of a phone, the history of a browser."""
        by_name("press_back", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/PressBack", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def press_home(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses the home key: the launcher comes to the front."""
        by_name("press_home", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/PressHome", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def press_key(self, key_code: Literal["BACK", "ENTER", "HOME", "BACKSPACE", "TAB", "ESCAPE"], *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses a key of the device: BACK, ENTER, HOME, BACKSPACE, TAB or ESCAPE."""
        response = self._call("trailblaze.v1.TrailblazeCommands/PressKey", given(key_code=key_code, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def read_file(self, path: str) -> ActionResult:
        """Reads a text file of the workspace, such as a fixture or a list of values."""
        response = self._call("trailblaze.v1.TrailblazeCommands/ReadFile", given(path=path))
        return cast(ActionResult, response)

    def remember(self, variable: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, text: str | None = None, id: str | None = None, regex: str | None = None, value: str | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Remembers what an element shows under a name, for use as `{{name}}` later."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Remember", given(variable=variable, ref=ref, node_selector=node_selector, fingerprint=fingerprint, text=text, id=id, regex=regex, value=value, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def remember_number(self, prompt: str, variable: str, *, llm: str | None = None) -> ActionResult:
        """Remembers a number that the screen shows or that follows from it, named in plain language, such as "the price of the mug"."""
        response = self._call("trailblaze.v1.TrailblazeCommands/RememberNumber", given(prompt=prompt, variable=variable, llm=llm))
        return cast(ActionResult, response)

    def remember_text(self, prompt: str, variable: str, *, llm: str | None = None) -> ActionResult:
        """Remembers a text that the screen shows, named in plain language, such as "the order number"."""
        response = self._call("trailblaze.v1.TrailblazeCommands/RememberText", given(prompt=prompt, variable=variable, llm=llm))
        return cast(ActionResult, response)

    def remember_with_ai(self, prompt: str, variable: str, *, llm: str | None = None) -> ActionResult:
        """Remembers what a language model answers to a question about the screen, in plain language, such as "which of the two is cheaper?"."""
        response = self._call("trailblaze.v1.TrailblazeCommands/RememberWithAi", given(prompt=prompt, variable=variable, llm=llm))
        return cast(ActionResult, response)

    def repeat(self, *unnamed: NoReturn, times: Any | None = None, while_: "RepeatRequestWhile" | None = None, until: "RepeatRequestUntil" | None = None, tools: list[dict[str, Any]] | None = None) -> ActionResult:
        """Makes its calls again and again: `times` often, `while` something holds, or `until` it does."""
        by_name("repeat", "times=…, while_=…, until=…, tools=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/Repeat", given(times=times, while_=while_, until=until, tools=tools))
        return cast(ActionResult, response)

    def request_detailed_view_hierarchy(self) -> RequestDetailedViewHierarchyResponse:
        """Shows the screen with everything that is in it, seen or not, and where it is."""
        response = self._call("trailblaze.v1.TrailblazeCommands/RequestDetailedViewHierarchy", given())
        return cast(RequestDetailedViewHierarchyResponse, response)

    def run_trail(self, path: str) -> ActionResult:
        """Plays the recorded steps of another trail on this device, in order, without a model."""
        response = self._call("trailblaze.v1.TrailblazeCommands/RunTrail", given(path=path))
        return cast(ActionResult, response)

    def scroll(self, *unnamed: NoReturn, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, amount: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Scrolls the screen by `amount` px, by default half of it."""
        by_name("scroll", "direction=…, amount=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/Scroll", given(direction=direction, amount=amount, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def scroll_until_text_is_visible(self, *unnamed: NoReturn, text: str | None = None, text_regex: str | None = None, id: str | None = None, index: int | None = None, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, visibility_percentage: int | None = None, center_element: bool | None = None, scroll_start_position: Literal["CENTER", "TOP", "BOTTOM", "LEFT", "RIGHT"] | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Scrolls until an element with a text, a matching `textRegex` or an id is on the screen."""
        by_name("scroll_until_text_is_visible", "text=…, text_regex=…, id=…, index=…, direction=…, visibility_percentage=…, center_element=…, scroll_start_position=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/ScrollUntilTextIsVisible", given(text=text, text_regex=text_regex, id=id, index=index, direction=direction, visibility_percentage=visibility_percentage, center_element=center_element, scroll_start_position=scroll_start_position, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def step(self, prompt: str, *, llm: str | None = None, plan: bool | None = None) -> StepResponse:
        """Carries out one step in plain language, such as "Add two mugs to the basket": a language model looks at the screen and makes the calls, which are recorded in place of this one."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Step", given(prompt=prompt, llm=llm, plan=plan))
        return cast(StepResponse, response)

    def stop_app(self, app_id: str | None = None) -> ActionResult:
        """Stops an app."""
        response = self._call("trailblaze.v1.TrailblazeCommands/StopApp", given(app_id=app_id))
        return cast(ActionResult, response)

    def swipe(self, *unnamed: NoReturn, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, swipe_on_element_text: str | None = None, duration_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Moves a finger over the screen, or over the element with the text `swipeOnElementText`."""
        by_name("swipe", "direction=…, swipe_on_element_text=…, duration_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/Swipe", given(direction=direction, swipe_on_element_text=swipe_on_element_text, duration_ms=duration_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def swipe_with_relative_coordinates(self, start_relative: str, end_relative: str, *, swipe_on_element_text: str | None = None, duration_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Moves a finger from one point to another, each given as shares of the screen: `startRelative: "50%,80%"`."""
        response = self._call("trailblaze.v1.TrailblazeCommands/SwipeWithRelativeCoordinates", given(start_relative=start_relative, end_relative=end_relative, swipe_on_element_text=swipe_on_element_text, duration_ms=duration_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def take_snapshot(self, screen_name: str, *, description: str | None = None) -> TakeSnapshotResponse:
        """Keeps the screen as it is now for the report, with a picture, under a name."""
        response = self._call("trailblaze.v1.TrailblazeCommands/TakeSnapshot", given(screen_name=screen_name, description=description))
        return cast(TakeSnapshotResponse, response)

    def tap(self, *unnamed: NoReturn, ref: str | None = None, text: str | None = None, id: str | None = None, index: int | None = None, x: float | None = None, y: float | None = None, long_press: bool | None = None) -> ActionResult:
        """Taps an element."""
        by_name("tap", "ref=…, text=…, id=…, index=…, x=…, y=…, long_press=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/Tap", given(ref=ref, text=text, id=id, index=index, x=x, y=y, long_press=long_press))
        return cast(ActionResult, response)

    def tap_on(self, selector: dict[str, Any], *, fingerprint: "Fingerprint" | None = None, relative_point: str | None = None, long_press: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element that a selector names, optionally at a point of it: `relativePoint: "50%,80%"`."""
        response = self._call("trailblaze.v1.TrailblazeCommands/TapOn", given(selector=selector, fingerprint=fingerprint, relative_point=relative_point, long_press=long_press, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def tap_on_element_by_selector(self, node_selector: dict[str, Any], *, fingerprint: "Fingerprint" | None = None, long_press: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element that a durable selector names."""
        response = self._call("trailblaze.v1.TrailblazeCommands/TapOnElementBySelector", given(node_selector=node_selector, fingerprint=fingerprint, long_press=long_press, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def tap_on_element_with_accessibility_text(self, *unnamed: NoReturn, accessibility_text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element with an accessible name, or part of it in whole words."""
        by_name("tap_on_element_with_accessibility_text", "accessibility_text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/TapOnElementWithAccessibilityText", given(accessibility_text=accessibility_text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def tap_on_element_with_text(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element that shows a text, or part of it in whole words."""
        by_name("tap_on_element_with_text", "text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/TapOnElementWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def tap_on_point(self, x: int, y: int, *, long_press: bool | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps a point of the screen, counted in px from the top left corner."""
        response = self._call("trailblaze.v1.TrailblazeCommands/TapOnPoint", given(x=x, y=y, long_press=long_press, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def verify(self, prompt: str, *, llm: str | None = None) -> VerifyResponse:
        """Checks a statement about the screen in plain language, such as "The basket holds two mugs and costs $24": a language model chooses assertions, which are recorded in place of this call."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Verify", given(prompt=prompt, llm=llm))
        return cast(VerifyResponse, response)

    def view_hierarchy(self, *unnamed: NoReturn, verbosity: Literal["MINIMAL", "STANDARD", "FULL"] | None = None, max_tokens: int | None = None, find: str | None = None, changes: bool | None = None, scope: str | None = None, detail: list[str] | None = None, screenshot: bool | None = None) -> ViewHierarchyResponse:
        """Shows the screen as text: its elements with role, name, state and value, each that can be acted on with a `ref` such as e5."""
        by_name("view_hierarchy", "verbosity=…, max_tokens=…, find=…, changes=…, scope=…, detail=…, screenshot=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/ViewHierarchy", given(verbosity=verbosity, max_tokens=max_tokens, find=find, changes=changes, scope=scope, detail=detail, screenshot=screenshot))
        return cast(ViewHierarchyResponse, response)

    def wait(self, time_to_wait_in_seconds: int | None = None) -> ActionResult:
        """Waits a number of seconds."""
        response = self._call("trailblaze.v1.TrailblazeCommands/Wait", given(time_to_wait_in_seconds=time_to_wait_in_seconds))
        return cast(ActionResult, response)

    def wait_for_change(self, *unnamed: NoReturn, timeout_ms: int | None = None, quiet_window_ms: int | None = None, require_change: bool | None = None) -> ActionResult:
        """Waits until the screen changes and then settles."""
        by_name("wait_for_change", "timeout_ms=…, quiet_window_ms=…, require_change=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/WaitForChange", given(timeout_ms=timeout_ms, quiet_window_ms=quiet_window_ms, require_change=require_change))
        return cast(ActionResult, response)

    def wait_until_not_visible(self, node_selector: dict[str, Any], *, timeout_ms: int | None = None) -> ActionResult:
        """Waits until nobody can see an element that the selector names, such as a spinner, and fails when it stays."""
        response = self._call("trailblaze.v1.TrailblazeCommands/WaitUntilNotVisible", given(node_selector=node_selector, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def wait_until_visible(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Waits until a person can see a text or element, and fails when that does not happen in time."""
        by_name("wait_until_visible", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/WaitUntilVisible", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def when(self, *unnamed: NoReturn, visible: Any | None = None, not_visible: Any | None = None, query: dict[str, Any] | None = None, tools: list[dict[str, Any]] | None = None, else_: list[dict[str, Any]] | None = None, was: bool | None = None) -> ActionResult:
        """Makes its calls when something holds, else those under `else`, if there are any."""
        by_name("when", "visible=…, not_visible=…, query=…, tools=…, else_=…, was=…", unnamed)
        response = self._call("trailblaze.v1.TrailblazeCommands/When", given(visible=visible, not_visible=not_visible, query=query, tools=tools, else_=else_, was=was))
        return cast(ActionResult, response)

    def write_file(self, path: str, text: str) -> ActionResult:
        """Writes a text file of the workspace, in place of what it held."""
        response = self._call("trailblaze.v1.TrailblazeCommands/WriteFile", given(path=path, text=text))
        return cast(ActionResult, response)


class AsyncTrailblazeCommands:
    """TrailblazeCommands holds the commands that work on devices of every kind."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream

    async def adb_shell(self, command: str) -> AdbShellResponse:
        """Runs a line in the phone's shell: stdout, stderr and exit status."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AdbShell", given(command=command))
        return cast(AdbShellResponse, response)

    async def android_adb_shell(self, *unnamed: NoReturn, command: list[str] | None = None, run_as: str | None = None) -> AndroidAdbShellResponse:
        """Runs a program of the phone with its arguments, without a shell's own characters: stdout, stderr and exit status."""
        by_name("android_adb_shell", "command=…, run_as=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidAdbShell", given(command=command, run_as=run_as))
        return cast(AndroidAdbShellResponse, response)

    async def android_grant_app_ops_permission(self, app_id: str, permission: str) -> ActionResult:
        """Allows an app an operation that `appops` keeps, such as access to all files."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidGrantAppOpsPermission", given(app_id=app_id, permission=permission))
        return cast(ActionResult, response)

    async def android_grant_permissions(self, app_id: str, *, permissions: list[str] | None = None) -> ActionResult:
        """Grants an app permissions, so that it does not ask for them."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidGrantPermissions", given(app_id=app_id, permissions=permissions))
        return cast(ActionResult, response)

    async def android_send_broadcast(self, action: str, component_package: str, component_class: str, *, extras: list["AndroidSendBroadcastRequestExtras"] | None = None) -> ActionResult:
        """Sends a broadcast to a receiver of an app, with extras, and waits for its result."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidSendBroadcast", given(action=action, component_package=component_package, component_class=component_class, extras=extras))
        return cast(ActionResult, response)

    async def android_system_ui_demo_mode(self, enable: bool | None = None) -> ActionResult:
        """Gives the status bar the same look in every picture (noon, full battery, no notifications), or ends that."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidSystemUiDemoMode", given(enable=enable))
        return cast(ActionResult, response)

    async def android_write_bytes_to_file(self, device_path: str, base64_content: str) -> ActionResult:
        """Writes a file on the phone, where its shell may write."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidWriteBytesToFile", given(device_path=device_path, base64_content=base64_content))
        return cast(ActionResult, response)

    async def android_write_file_to_downloads(self, file_name: str, content: str) -> ActionResult:
        """Writes a text file into the phone's folder of downloads."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AndroidWriteFileToDownloads", given(file_name=file_name, content=content))
        return cast(ActionResult, response)

    async def ask(self, prompt: str, *, llm: str | None = None) -> AskResponse:
        """Answers a question about the screen in plain language, such as "What does shipping cost?", from what the device shows."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Ask", given(prompt=prompt, llm=llm))
        return cast(AskResponse, response)

    async def assert_equals(self, actual: Any, expected: Any) -> ActionResult:
        """Asserts that two values are the same, white space around them aside."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertEquals", given(actual=actual, expected=expected))
        return cast(ActionResult, response)

    async def assert_math(self, expression: str, expected: str) -> ActionResult:
        """Asserts that an arithmetic expression comes to a number, within 0.0001: `expression: "{{price}} * {{count}}"`, `expected: "{{total}}"`."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertMath", given(expression=expression, expected=expected))
        return cast(ActionResult, response)

    async def assert_not_equals(self, actual: Any, expected: Any) -> ActionResult:
        """Asserts that two values differ."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertNotEquals", given(actual=actual, expected=expected))
        return cast(ActionResult, response)

    async def assert_not_visible_by_selector(self, node_selector: dict[str, Any], *, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that nobody can see an element that the selector names, waiting until it is gone and the screen has settled."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertNotVisibleBySelector", given(node_selector=node_selector, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_not_visible_with_text(self, text: str, *, id: str | None = None, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that nobody can see a text, waiting until it is gone and the screen has settled."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertNotVisibleWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_visible(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, text: str | None = None, id: str | None = None, expected_text: str | None = None, text_match_mode: Literal["EXACT", "PREFIX", "REGEX"] | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that a person can see an element, named by `ref`, `text` or `id`, and optionally that its text is `expectedText`."""
        by_name("assert_visible", "ref=…, node_selector=…, fingerprint=…, text=…, id=…, expected_text=…, text_match_mode=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertVisible", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, text=text, id=id, expected_text=expected_text, text_match_mode=text_match_mode, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_visible_by_selector(self, node_selector: dict[str, Any], *, fingerprint: "Fingerprint" | None = None, expected_text: str | None = None, text_match_mode: Literal["EXACT", "PREFIX", "REGEX"] | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that a person can see the element that a durable selector names, and optionally that its text is `expectedText`."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleBySelector", given(node_selector=node_selector, fingerprint=fingerprint, expected_text=expected_text, text_match_mode=text_match_mode, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_visible_with_accessibility_text(self, accessibility_text: str, *, id: str | None = None, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that an element with an accessible name, or part of it in whole words, is visible."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleWithAccessibilityText", given(accessibility_text=accessibility_text, id=id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_visible_with_resource_id(self, resource_id: str, *, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that the element with a test id or id attribute is visible."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleWithResourceId", given(resource_id=resource_id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_visible_with_text(self, text: str, *, id: str | None = None, index: int | None = None, enabled: bool | None = None, selected: bool | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asserts that an element with a text, or part of it in whole words, is visible."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertVisibleWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def assert_with_ai(self, prompt: str, *, llm: str | None = None) -> ActionResult:
        """Asserts a statement in plain language about what the screen shows, such as "the chart rises", by the judgement of a language model."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/AssertWithAi", given(prompt=prompt, llm=llm))
        return cast(ActionResult, response)

    async def batch(self, calls: list["BatchRequestCalls"] | None = None) -> ActionResult:
        """Makes several calls in one request, in order, and answers with what each did and one combined view of what changed."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Batch", given(calls=calls))
        return cast(ActionResult, response)

    async def capture_screen(self) -> CaptureScreenResponse:
        """Returns the screen as it is now: text, data and picture."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/CaptureScreen", given())
        return cast(CaptureScreenResponse, response)

    async def clear_app_data(self, package_id: str | None = None) -> ActionResult:
        """Removes all that an app has stored on the device."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/ClearAppData", given(package_id=package_id))
        return cast(ActionResult, response)

    async def clear_text(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Empties the field that has the focus."""
        by_name("clear_text", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/ClearText", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def drag_by_points(self, start_x: int, start_y: int, end_x: int, end_y: int, *, duration_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses at one point, moves to another, and lets go."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/DragByPoints", given(start_x=start_x, start_y=start_y, end_x=end_x, end_y=end_y, duration_ms=duration_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def drag_to(self, ref: str, *, to_ref: str | None = None, to_x: float | None = None, to_y: float | None = None, duration_ms: int | None = None) -> ActionResult:
        """Drags an element, named by `ref`, onto another one (`toRef`) or to a point (`toX`, `toY`) in one continuous movement."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/DragTo", given(ref=ref, to_ref=to_ref, to_x=to_x, to_y=to_y, duration_ms=duration_ms))
        return cast(ActionResult, response)

    async def dump_memory(self) -> DumpMemoryResponse:
        """Shows all that is remembered."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/DumpMemory", given())
        return cast(DumpMemoryResponse, response)

    async def erase_text(self, *unnamed: NoReturn, characters_to_erase: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Removes characters before the caret in the field that has the focus: `charactersToErase` of them, or all."""
        by_name("erase_text", "characters_to_erase=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/EraseText", given(characters_to_erase=characters_to_erase, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def find_matches(self, selector: dict[str, Any], *, timeout_ms: int | None = None) -> FindMatchesResponse:
        """Lists the elements that a selector matches, with their text, ids and places."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/FindMatches", given(selector=selector, timeout_ms=timeout_ms))
        return cast(FindMatchesResponse, response)

    async def get_element_count(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> int:
        """Counts the elements with a text or id that a person can see, scrolling allowed."""
        by_name("get_element_count", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/GetElementCount", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return int(response.get("count") or 0)

    async def get_element_text(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> str | None:
        """Returns what an element shows: a field's value, else its text."""
        by_name("get_element_text", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/GetElementText", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return response.get("text")

    async def get_screenshot(self, *unnamed: NoReturn, format: Literal["JPEG", "PNG", "WEBP"] | None = None, quality: int | None = None, full_page: bool | None = None, ref: str | None = None, max_dimension: int | None = None, screen_name: str | None = None) -> GetScreenshotResponse:
        """Takes a picture of the screen: JPEG by default, `fullPage` for the whole page, `ref` for one element, `maxDimension` for its size."""
        by_name("get_screenshot", "format=…, quality=…, full_page=…, ref=…, max_dimension=…, screen_name=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/GetScreenshot", given(format=format, quality=quality, full_page=full_page, ref=ref, max_dimension=max_dimension, screen_name=screen_name))
        return cast(GetScreenshotResponse, response)

    async def grant_permission(self, package_id: str, permission: str) -> ActionResult:
        """Grants an app one permission, so that it does not ask for it."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/GrantPermission", given(package_id=package_id, permission=permission))
        return cast(ActionResult, response)

    async def has_text(self, text: str) -> bool:
        """Says whether a person can read a text on the screen, scrolling allowed."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/HasText", given(text=text))
        return bool(response.get("hasText") or 0)

    async def hide_keyboard(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Closes the on-screen keyboard."""
        by_name("hide_keyboard", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/HideKeyboard", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def http_get(self, url: str, *, headers: dict[str, str] | None = None) -> ActionResult:
        """Asks an HTTP server with GET and gives its answer: status, type and body."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/HttpGet", given(url=url, headers=headers))
        return cast(ActionResult, response)

    async def http_send(self, url: str, *, headers: dict[str, str] | None = None, method: Literal["POST", "PUT", "PATCH", "DELETE"] | None = None, body: str | None = None, expect_status: int | None = None) -> ActionResult:
        """Sends a request that changes something to an HTTP server (POST, PUT, PATCH, DELETE), such as one that prepares data for a test."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/HttpSend", given(url=url, headers=headers, method=method, body=body, expect_status=expect_status))
        return cast(ActionResult, response)

    async def input_text(self, text: str, *, hide_keyboard_after: bool | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Types text into the field that has the focus."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/InputText", given(text=text, hide_keyboard_after=hide_keyboard_after, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def input_text_random(self, variable: str, *, prefix: str | None = None, digit_count: int | None = None, hide_keyboard_after: bool | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Types a prefix and random digits into the field that has the focus, and remembers the text under `variable`."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/InputTextRandom", given(variable=variable, prefix=prefix, digit_count=digit_count, hide_keyboard_after=hide_keyboard_after, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def is_visible(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> bool:
        """Says whether a person can see an element now, and if not, why."""
        by_name("is_visible", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/IsVisible", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return bool(response.get("visible") or 0)

    async def launch_app(self, app_id: str | None = None, *, package_id: str | None = None, launch_mode: Literal["REINSTALL", "RESUME", "FORCE_RESTART"] | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Starts an app."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/LaunchApp", given(app_id=app_id if app_id is not None else package_id, launch_mode=launch_mode, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def long_press(self, *unnamed: NoReturn, ref: str | None = None, text: str | None = None, id: str | None = None, index: int | None = None, x: float | None = None, y: float | None = None, long_press: bool | None = None) -> ActionResult:
        """Presses an element and holds it for a moment, for context menus and drag handles."""
        by_name("long_press", "ref=…, text=…, id=…, index=…, x=…, y=…, long_press=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/LongPress", given(ref=ref, text=text, id=id, index=index, x=x, y=y, long_press=long_press))
        return cast(ActionResult, response)

    async def long_press_element_with_accessibility_text(self, *unnamed: NoReturn, accessibility_text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses and holds the element with an accessible name, or part of it in whole words."""
        by_name("long_press_element_with_accessibility_text", "accessibility_text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/LongPressElementWithAccessibilityText", given(accessibility_text=accessibility_text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def long_press_on_element_with_text(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses and holds the element that shows a text, or part of it in whole words."""
        by_name("long_press_on_element_with_text", "text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/LongPressOnElementWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def maestro(self, commands: list[Any] | None = None) -> ActionResult:
        """Carries out commands in Maestro's spelling, in order, and stops at the first that fails."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Maestro", given(commands=commands))
        return cast(ActionResult, response)

    async def network_connection(self, connected: bool) -> ActionResult:
        """Turns the phone's airplane mode on or off."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/NetworkConnection", given(connected=connected))
        return cast(ActionResult, response)

    async def open_url(self, url: str, *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a URL: in the browser, or with the app that a phone opens it with."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/OpenUrl", given(url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def pinch(self, scale: float, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Zooms with two fingers around an element or the middle of the screen: `scale` above 1 zooms in, below 1 zooms out."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Pinch", given(scale=scale, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def press_back(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Goes back: the back button of a phone, the history of a browser."""
        by_name("press_back", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/PressBack", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def press_home(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses the home key: the launcher comes to the front."""
        by_name("press_home", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/PressHome", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def press_key(self, key_code: Literal["BACK", "ENTER", "HOME", "BACKSPACE", "TAB", "ESCAPE"], *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses a key of the device: BACK, ENTER, HOME, BACKSPACE, TAB or ESCAPE."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/PressKey", given(key_code=key_code, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def read_file(self, path: str) -> ActionResult:
        """Reads a text file of the workspace, such as a fixture or a list of values."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/ReadFile", given(path=path))
        return cast(ActionResult, response)

    async def remember(self, variable: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, text: str | None = None, id: str | None = None, regex: str | None = None, value: str | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Remembers what an element shows under a name, for use as `{{name}}` later."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Remember", given(variable=variable, ref=ref, node_selector=node_selector, fingerprint=fingerprint, text=text, id=id, regex=regex, value=value, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def remember_number(self, prompt: str, variable: str, *, llm: str | None = None) -> ActionResult:
        """Remembers a number that the screen shows or that follows from it, named in plain language, such as "the price of the mug"."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/RememberNumber", given(prompt=prompt, variable=variable, llm=llm))
        return cast(ActionResult, response)

    async def remember_text(self, prompt: str, variable: str, *, llm: str | None = None) -> ActionResult:
        """Remembers a text that the screen shows, named in plain language, such as "the order number"."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/RememberText", given(prompt=prompt, variable=variable, llm=llm))
        return cast(ActionResult, response)

    async def remember_with_ai(self, prompt: str, variable: str, *, llm: str | None = None) -> ActionResult:
        """Remembers what a language model answers to a question about the screen, in plain language, such as "which of the two is cheaper?"."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/RememberWithAi", given(prompt=prompt, variable=variable, llm=llm))
        return cast(ActionResult, response)

    async def repeat(self, *unnamed: NoReturn, times: Any | None = None, while_: "RepeatRequestWhile" | None = None, until: "RepeatRequestUntil" | None = None, tools: list[dict[str, Any]] | None = None) -> ActionResult:
        """Makes its calls again and again: `times` often, `while` something holds, or `until` it does."""
        by_name("repeat", "times=…, while_=…, until=…, tools=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/Repeat", given(times=times, while_=while_, until=until, tools=tools))
        return cast(ActionResult, response)

    async def request_detailed_view_hierarchy(self) -> RequestDetailedViewHierarchyResponse:
        """Shows the screen with everything that is in it, seen or not, and where it is."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/RequestDetailedViewHierarchy", given())
        return cast(RequestDetailedViewHierarchyResponse, response)

    async def run_trail(self, path: str) -> ActionResult:
        """Plays the recorded steps of another trail on this device, in order, without a model."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/RunTrail", given(path=path))
        return cast(ActionResult, response)

    async def scroll(self, *unnamed: NoReturn, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, amount: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Scrolls the screen by `amount` px, by default half of it."""
        by_name("scroll", "direction=…, amount=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/Scroll", given(direction=direction, amount=amount, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def scroll_until_text_is_visible(self, *unnamed: NoReturn, text: str | None = None, text_regex: str | None = None, id: str | None = None, index: int | None = None, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, visibility_percentage: int | None = None, center_element: bool | None = None, scroll_start_position: Literal["CENTER", "TOP", "BOTTOM", "LEFT", "RIGHT"] | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Scrolls until an element with a text, a matching `textRegex` or an id is on the screen."""
        by_name("scroll_until_text_is_visible", "text=…, text_regex=…, id=…, index=…, direction=…, visibility_percentage=…, center_element=…, scroll_start_position=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/ScrollUntilTextIsVisible", given(text=text, text_regex=text_regex, id=id, index=index, direction=direction, visibility_percentage=visibility_percentage, center_element=center_element, scroll_start_position=scroll_start_position, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def step(self, prompt: str, *, llm: str | None = None, plan: bool | None = None) -> StepResponse:
        """Carries out one step in plain language, such as "Add two mugs to the basket": a language model looks at the screen and makes the calls, which are recorded in place of this one."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Step", given(prompt=prompt, llm=llm, plan=plan))
        return cast(StepResponse, response)

    async def stop_app(self, app_id: str | None = None) -> ActionResult:
        """Stops an app."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/StopApp", given(app_id=app_id))
        return cast(ActionResult, response)

    async def swipe(self, *unnamed: NoReturn, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, swipe_on_element_text: str | None = None, duration_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Moves a finger over the screen, or over the element with the text `swipeOnElementText`."""
        by_name("swipe", "direction=…, swipe_on_element_text=…, duration_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/Swipe", given(direction=direction, swipe_on_element_text=swipe_on_element_text, duration_ms=duration_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def swipe_with_relative_coordinates(self, start_relative: str, end_relative: str, *, swipe_on_element_text: str | None = None, duration_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Moves a finger from one point to another, each given as shares of the screen: `startRelative: "50%,80%"`."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/SwipeWithRelativeCoordinates", given(start_relative=start_relative, end_relative=end_relative, swipe_on_element_text=swipe_on_element_text, duration_ms=duration_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def take_snapshot(self, screen_name: str, *, description: str | None = None) -> TakeSnapshotResponse:
        """Keeps the screen as it is now for the report, with a picture, under a name."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/TakeSnapshot", given(screen_name=screen_name, description=description))
        return cast(TakeSnapshotResponse, response)

    async def tap(self, *unnamed: NoReturn, ref: str | None = None, text: str | None = None, id: str | None = None, index: int | None = None, x: float | None = None, y: float | None = None, long_press: bool | None = None) -> ActionResult:
        """Taps an element."""
        by_name("tap", "ref=…, text=…, id=…, index=…, x=…, y=…, long_press=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/Tap", given(ref=ref, text=text, id=id, index=index, x=x, y=y, long_press=long_press))
        return cast(ActionResult, response)

    async def tap_on(self, selector: dict[str, Any], *, fingerprint: "Fingerprint" | None = None, relative_point: str | None = None, long_press: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element that a selector names, optionally at a point of it: `relativePoint: "50%,80%"`."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/TapOn", given(selector=selector, fingerprint=fingerprint, relative_point=relative_point, long_press=long_press, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def tap_on_element_by_selector(self, node_selector: dict[str, Any], *, fingerprint: "Fingerprint" | None = None, long_press: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element that a durable selector names."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/TapOnElementBySelector", given(node_selector=node_selector, fingerprint=fingerprint, long_press=long_press, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def tap_on_element_with_accessibility_text(self, *unnamed: NoReturn, accessibility_text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element with an accessible name, or part of it in whole words."""
        by_name("tap_on_element_with_accessibility_text", "accessibility_text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/TapOnElementWithAccessibilityText", given(accessibility_text=accessibility_text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def tap_on_element_with_text(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, index: Any | None = None, enabled: bool | None = None, selected: bool | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps the element that shows a text, or part of it in whole words."""
        by_name("tap_on_element_with_text", "text=…, id=…, index=…, enabled=…, selected=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/TapOnElementWithText", given(text=text, id=id, index=index, enabled=enabled, selected=selected, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def tap_on_point(self, x: int, y: int, *, long_press: bool | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Taps a point of the screen, counted in px from the top left corner."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/TapOnPoint", given(x=x, y=y, long_press=long_press, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def verify(self, prompt: str, *, llm: str | None = None) -> VerifyResponse:
        """Checks a statement about the screen in plain language, such as "The basket holds two mugs and costs $24": a language model chooses assertions, which are recorded in place of this call."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Verify", given(prompt=prompt, llm=llm))
        return cast(VerifyResponse, response)

    async def view_hierarchy(self, *unnamed: NoReturn, verbosity: Literal["MINIMAL", "STANDARD", "FULL"] | None = None, max_tokens: int | None = None, find: str | None = None, changes: bool | None = None, scope: str | None = None, detail: list[str] | None = None, screenshot: bool | None = None) -> ViewHierarchyResponse:
        """Shows the screen as text: its elements with role, name, state and value, each that can be acted on with a `ref` such as e5."""
        by_name("view_hierarchy", "verbosity=…, max_tokens=…, find=…, changes=…, scope=…, detail=…, screenshot=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/ViewHierarchy", given(verbosity=verbosity, max_tokens=max_tokens, find=find, changes=changes, scope=scope, detail=detail, screenshot=screenshot))
        return cast(ViewHierarchyResponse, response)

    async def wait(self, time_to_wait_in_seconds: int | None = None) -> ActionResult:
        """Waits a number of seconds."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/Wait", given(time_to_wait_in_seconds=time_to_wait_in_seconds))
        return cast(ActionResult, response)

    async def wait_for_change(self, *unnamed: NoReturn, timeout_ms: int | None = None, quiet_window_ms: int | None = None, require_change: bool | None = None) -> ActionResult:
        """Waits until the screen changes and then settles."""
        by_name("wait_for_change", "timeout_ms=…, quiet_window_ms=…, require_change=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/WaitForChange", given(timeout_ms=timeout_ms, quiet_window_ms=quiet_window_ms, require_change=require_change))
        return cast(ActionResult, response)

    async def wait_until_not_visible(self, node_selector: dict[str, Any], *, timeout_ms: int | None = None) -> ActionResult:
        """Waits until nobody can see an element that the selector names, such as a spinner, and fails when it stays."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/WaitUntilNotVisible", given(node_selector=node_selector, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def wait_until_visible(self, *unnamed: NoReturn, text: str | None = None, id: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Waits until a person can see a text or element, and fails when that does not happen in time."""
        by_name("wait_until_visible", "text=…, id=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/WaitUntilVisible", given(text=text, id=id, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def when(self, *unnamed: NoReturn, visible: Any | None = None, not_visible: Any | None = None, query: dict[str, Any] | None = None, tools: list[dict[str, Any]] | None = None, else_: list[dict[str, Any]] | None = None, was: bool | None = None) -> ActionResult:
        """Makes its calls when something holds, else those under `else`, if there are any."""
        by_name("when", "visible=…, not_visible=…, query=…, tools=…, else_=…, was=…", unnamed)
        response = await self._call("trailblaze.v1.TrailblazeCommands/When", given(visible=visible, not_visible=not_visible, query=query, tools=tools, else_=else_, was=was))
        return cast(ActionResult, response)

    async def write_file(self, path: str, text: str) -> ActionResult:
        """Writes a text file of the workspace, in place of what it held."""
        response = await self._call("trailblaze.v1.TrailblazeCommands/WriteFile", given(path=path, text=text))
        return cast(ActionResult, response)


class MobileCommands:
    """MobileCommands is the backend of phones and tablets. GetBackends says whether a device has it."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream

    def clear_app_data(self, app_id: str | None = None) -> ActionResult:
        """Removes all that an app has stored on the device."""
        response = self._call("trailblaze.v1.MobileCommands/ClearAppData", given(app_id=app_id))
        return cast(ActionResult, response)

    def list_installed_apps(self) -> MobileListInstalledAppsResponse:
        """Lists the apps on the device by id."""
        response = self._call("trailblaze.v1.MobileCommands/ListInstalledApps", given())
        return cast(MobileListInstalledAppsResponse, response)

    def list_installed_apps_detailed(self, include_system_apps: bool | None = None) -> MobileListInstalledAppsDetailedResponse:
        """Lists the apps on the phone with their version codes, and which of them came with the system."""
        response = self._call("trailblaze.v1.MobileCommands/ListInstalledAppsDetailed", given(include_system_apps=include_system_apps))
        return cast(MobileListInstalledAppsDetailedResponse, response)

    def maestro(self, commands: list[Any] | None = None) -> ActionResult:
        """Does what maestro does, under the name that trails of upstream have for it."""
        response = self._call("trailblaze.v1.MobileCommands/Maestro", given(commands=commands))
        return cast(ActionResult, response)

    def paste_clipboard(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Types what is on the clipboard into the field that has the focus."""
        by_name("paste_clipboard", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.MobileCommands/PasteClipboard", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def set_clipboard(self, text: str) -> ActionResult:
        """Puts a text onto the clipboard."""
        response = self._call("trailblaze.v1.MobileCommands/SetClipboard", given(text=text))
        return cast(ActionResult, response)


class AsyncMobileCommands:
    """MobileCommands is the backend of phones and tablets. GetBackends says whether a device has it."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream

    async def clear_app_data(self, app_id: str | None = None) -> ActionResult:
        """Removes all that an app has stored on the device."""
        response = await self._call("trailblaze.v1.MobileCommands/ClearAppData", given(app_id=app_id))
        return cast(ActionResult, response)

    async def list_installed_apps(self) -> MobileListInstalledAppsResponse:
        """Lists the apps on the device by id."""
        response = await self._call("trailblaze.v1.MobileCommands/ListInstalledApps", given())
        return cast(MobileListInstalledAppsResponse, response)

    async def list_installed_apps_detailed(self, include_system_apps: bool | None = None) -> MobileListInstalledAppsDetailedResponse:
        """Lists the apps on the phone with their version codes, and which of them came with the system."""
        response = await self._call("trailblaze.v1.MobileCommands/ListInstalledAppsDetailed", given(include_system_apps=include_system_apps))
        return cast(MobileListInstalledAppsDetailedResponse, response)

    async def maestro(self, commands: list[Any] | None = None) -> ActionResult:
        """Does what maestro does, under the name that trails of upstream have for it."""
        response = await self._call("trailblaze.v1.MobileCommands/Maestro", given(commands=commands))
        return cast(ActionResult, response)

    async def paste_clipboard(self, *unnamed: NoReturn, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Types what is on the clipboard into the field that has the focus."""
        by_name("paste_clipboard", "effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.MobileCommands/PasteClipboard", given(effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def set_clipboard(self, text: str) -> ActionResult:
        """Puts a text onto the clipboard."""
        response = await self._call("trailblaze.v1.MobileCommands/SetClipboard", given(text=text))
        return cast(ActionResult, response)


class WebCommands:
    """WebCommands is the backend of browsers. GetBackends says whether a device has it."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream

    def click(self, selector: str | None = None, *, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Clicks the element that a CSS selector matches; several that can be seen are an error."""
        response = self._call("trailblaze.v1.WebCommands/Click", given(selector=selector, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def evaluate_js(self, script: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None) -> Any:
        """Runs JavaScript in the page and returns what it gives as JSON."""
        response = self._call("trailblaze.v1.WebCommands/EvaluateJs", given(script=script, ref=ref, node_selector=node_selector, fingerprint=fingerprint))
        return response.get("result")

    def fill(self, value: str, *, selector: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Sets the field that a CSS selector matches to a value and reads it back."""
        response = self._call("trailblaze.v1.WebCommands/Fill", given(value=value, selector=selector, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def navigate(self, url: str, *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a URL and waits until the page has settled."""
        response = self._call("trailblaze.v1.WebCommands/Navigate", given(url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def wait_for_selector(self, selector: str | None = None, *, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Waits until an element that the CSS selector matches is visible, and fails when that does not happen in time."""
        response = self._call("trailblaze.v1.WebCommands/WaitForSelector", given(selector=selector, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def apply_cookies(self, cookies_json: str | None = None) -> ActionResult:
        """Sets cookies: a JSON list of them, or a whole storage state."""
        response = self._call("trailblaze.v1.WebCommands/ApplyCookies", given(cookies_json=cookies_json))
        return cast(ActionResult, response)

    def assert_network_event(self, event_name: str, *, url: str | None = None, timeout_ms: int | None = None) -> WebAssertNetworkEventResponse:
        """Waits until a request reports an analytics event: its name must stand, as a whole word, in the URL or the body of the request."""
        response = self._call("trailblaze.v1.WebCommands/AssertNetworkEvent", given(event_name=event_name, url=url, timeout_ms=timeout_ms))
        return cast(WebAssertNetworkEventResponse, response)

    def clear(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Empties a field."""
        by_name("clear", "ref=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Clear", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def clear_routes(self) -> ActionResult:
        """Ends all mocks: requests go to the network again."""
        response = self._call("trailblaze.v1.WebCommands/ClearRoutes", given())
        return cast(ActionResult, response)

    def web_click(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, button: Literal["left", "right", "middle"] | None = None, count: int | None = None, modifiers: list[str] | None = None, position: "Position" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Clicks an element, as a person would: it waits until the element is there, in view, still, enabled and not covered, then clicks its middle once."""
        by_name("web_click", "ref=…, node_selector=…, fingerprint=…, button=…, count=…, modifiers=…, position=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/WebClick", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, button=button, count=count, modifiers=modifiers, position=position, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def close_tab(self, *unnamed: NoReturn, tab: str | None = None, index: int | None = None, url: str | None = None, title: str | None = None) -> ActionResult:
        """Closes a tab: the active one, or one named as for `web_switchTab`."""
        by_name("close_tab", "tab=…, index=…, url=…, title=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/CloseTab", given(tab=tab, index=index, url=url, title=title))
        return cast(ActionResult, response)

    def console(self, *unnamed: NoReturn, level: Literal["all", "warning", "error"] | None = None, since: int | None = None, limit: int | None = None) -> WebConsoleResponse:
        """Shows what the page logged to the console, and its uncaught errors, and the requests that failed."""
        by_name("console", "level=…, since=…, limit=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Console", given(level=level, since=since, limit=limit))
        return cast(WebConsoleResponse, response)

    def current_url(self) -> WebCurrentUrlResponse:
        """Tells the URL of the active tab."""
        response = self._call("trailblaze.v1.WebCommands/CurrentUrl", given())
        return cast(WebCurrentUrlResponse, response)

    def dialogs(self) -> WebDialogsResponse:
        """Lists the dialogs that came up so far, with their texts and how they were answered."""
        response = self._call("trailblaze.v1.WebCommands/Dialogs", given())
        return cast(WebDialogsResponse, response)

    def downloads(self) -> WebDownloadsResponse:
        """Lists the files that were downloaded so far, by name, with size and state."""
        response = self._call("trailblaze.v1.WebCommands/Downloads", given())
        return cast(WebDownloadsResponse, response)

    def drag(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, to_ref: str | None = None, to_node_selector: dict[str, Any] | None = None, to_fingerprint: "ToFingerprint" | None = None, place: Literal["before", "after", "into"] | None = None, dx: float | None = None, dy: float | None = None, duration_ms: int | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Drags an element with the mouse and drops it: onto another element (`toRef`), `before` or `after` it in its list (`place`), or `dx` and `dy` pixels away."""
        by_name("drag", "ref=…, node_selector=…, fingerprint=…, to_ref=…, to_node_selector=…, to_fingerprint=…, place=…, dx=…, dy=…, duration_ms=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Drag", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, to_ref=to_ref, to_node_selector=to_node_selector, to_fingerprint=to_fingerprint, place=place, dx=dx, dy=dy, duration_ms=duration_ms, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def emulate(self, *unnamed: NoReturn, device: str | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Makes the browser behave like another device (size, touch, user agent), such as `iPhone 14`."""
        by_name("emulate", "device=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Emulate", given(device=device, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def evaluate(self, script: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None) -> WebEvaluateResponse:
        """Runs JavaScript in the page and returns what it gives as JSON."""
        response = self._call("trailblaze.v1.WebCommands/Evaluate", given(script=script, ref=ref, node_selector=node_selector, fingerprint=fingerprint))
        return cast(WebEvaluateResponse, response)

    def fill_secret(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, value: str | None = None, name: str | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Enters a password or token into a field."""
        by_name("fill_secret", "ref=…, node_selector=…, fingerprint=…, value=…, name=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/FillSecret", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, value=value, name=name, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def get_storage_state(self) -> WebGetStorageStateResponse:
        """Returns the login state of the session, cookies and local storage, in the form that `web_setStorageState` and Playwright read."""
        response = self._call("trailblaze.v1.WebCommands/GetStorageState", given())
        return cast(WebGetStorageStateResponse, response)

    def handle_dialog(self, accept: bool, *, answer: str | None = None) -> ActionResult:
        """Answers the dialog (alert, confirm, prompt) that is open because the policy is `keep`: `accept: true` is OK, `answer` is the text for a prompt."""
        response = self._call("trailblaze.v1.WebCommands/HandleDialog", given(accept=accept, answer=answer))
        return cast(ActionResult, response)

    def hover(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Moves the mouse onto an element and leaves it there, so that menus and hints that show on hover come up."""
        by_name("hover", "ref=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Hover", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def list_frames(self) -> WebListFramesResponse:
        """Lists the frames of the page."""
        response = self._call("trailblaze.v1.WebCommands/ListFrames", given())
        return cast(WebListFramesResponse, response)

    def list_tabs(self) -> WebListTabsResponse:
        """Lists the open tabs and popups with their ids."""
        response = self._call("trailblaze.v1.WebCommands/ListTabs", given())
        return cast(WebListTabsResponse, response)

    def mock_route(self, pattern: str, *, method: str | None = None, status: int | None = None, headers: dict[str, str] | None = None, body: str | None = None, abort: bool | None = None, times: int | None = None) -> ActionResult:
        """Answers requests whose URL matches a glob instead of sending them: with a status, headers and a body, or by failing them."""
        response = self._call("trailblaze.v1.WebCommands/MockRoute", given(pattern=pattern, method=method, status=status, headers=headers, body=body, abort=abort, times=times))
        return cast(ActionResult, response)

    def web_navigate(self, *unnamed: NoReturn, action: Literal["GOTO", "BACK", "FORWARD", "RELOAD"] | None = None, url: str | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a URL, goes BACK or FORWARD in the history, or RELOADs the page, and waits until the page has settled."""
        by_name("web_navigate", "action=…, url=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/WebNavigate", given(action=action, url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def new_tab(self, *unnamed: NoReturn, url: str | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a tab, optionally with a URL, and makes it the active one."""
        by_name("new_tab", "url=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/NewTab", given(url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def press_key(self, key: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses a key or a chord: `Enter`, `Escape`, `ArrowDown`, `Control+a`, `Shift+Tab`."""
        response = self._call("trailblaze.v1.WebCommands/PressKey", given(key=key, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def request_details(self, include: list[str] | None = None) -> WebRequestDetailsResponse:
        """Shows the page with details that a snapshot leaves out: BOUNDS (where elements are, px), CSS_SELECTORS, OFFSCREEN_ELEMENTS, OCCLUDED_ELEMENTS."""
        response = self._call("trailblaze.v1.WebCommands/RequestDetails", given(include=include))
        return cast(WebRequestDetailsResponse, response)

    def requests(self, *unnamed: NoReturn, filter: str | None = None, type: str | None = None, failed: bool | None = None, since: int | None = None, limit: int | None = None) -> WebRequestsResponse:
        """Lists the network requests of the page, newest last, with status and errors."""
        by_name("requests", "filter=…, type=…, failed=…, since=…, limit=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Requests", given(filter=filter, type=type, failed=failed, since=since, limit=limit))
        return cast(WebRequestsResponse, response)

    def resize(self, width: int, height: int, *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Gives the viewport another size."""
        response = self._call("trailblaze.v1.WebCommands/Resize", given(width=width, height=height, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def scroll(self, *unnamed: NoReturn, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, amount: int | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Scrolls the page, or the container that holds the element named by `ref`, by `amount` px."""
        by_name("scroll", "direction=…, amount=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Scroll", given(direction=direction, amount=amount, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def select_option(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, values: list[str] | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Chooses options of a select, named by their label, value or index, and reads back that they are chosen."""
        by_name("select_option", "ref=…, node_selector=…, fingerprint=…, values=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/SelectOption", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, values=values, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def set_checked(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, checked: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Brings a checkbox, radio button or switch to a state."""
        by_name("set_checked", "ref=…, node_selector=…, fingerprint=…, checked=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/SetChecked", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, checked=checked, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def set_dialog_policy(self, policy: Literal["accept", "dismiss", "keep", "default"], *, answer: str | None = None, once: bool | None = None) -> ActionResult:
        """Says how dialogs are answered when they come up."""
        response = self._call("trailblaze.v1.WebCommands/SetDialogPolicy", given(policy=policy, answer=answer, once=once))
        return cast(ActionResult, response)

    def set_storage_state(self, state: Any) -> ActionResult:
        """Restores a login state: cookies and local storage, as `web_getStorageState` returns them."""
        response = self._call("trailblaze.v1.WebCommands/SetStorageState", given(state=state))
        return cast(ActionResult, response)

    def snapshot(self, *unnamed: NoReturn, screen_name: str | None = None, detail: list[str] | None = None, max_tokens: int | None = None, find: str | None = None, scope: str | None = None, page: int | None = None, changes: bool | None = None, screenshot: bool | None = None) -> WebSnapshotResponse:
        """Shows the page as text: its elements with role, name, state and value, each that can be acted on with a `ref` such as e5."""
        by_name("snapshot", "screen_name=…, detail=…, max_tokens=…, find=…, scope=…, page=…, changes=…, screenshot=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/Snapshot", given(screen_name=screen_name, detail=detail, max_tokens=max_tokens, find=find, scope=scope, page=page, changes=changes, screenshot=screenshot))
        return cast(WebSnapshotResponse, response)

    def switch_tab(self, *unnamed: NoReturn, tab: str | None = None, index: int | None = None, url: str | None = None, title: str | None = None) -> ActionResult:
        """Makes another tab the active one."""
        by_name("switch_tab", "tab=…, index=…, url=…, title=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/SwitchTab", given(tab=tab, index=index, url=url, title=title))
        return cast(ActionResult, response)

    def type(self, text: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, clear_first: bool | None = None, keys: bool | None = None, submit: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Enters text into a field and reads it back."""
        response = self._call("trailblaze.v1.WebCommands/Type", given(text=text, ref=ref, node_selector=node_selector, fingerprint=fingerprint, clear_first=clear_first, keys=keys, submit=submit, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def upload_file(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, paths: list[str] | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Gives files to a file input, or to the file chooser that clicking the element opens."""
        by_name("upload_file", "ref=…, node_selector=…, fingerprint=…, paths=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/UploadFile", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, paths=paths, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    def verify_element_visible(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Verifies that a person can see an element, scrolling it into view when needed."""
        by_name("verify_element_visible", "ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/VerifyElementVisible", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def verify_list_visible(self, *unnamed: NoReturn, items: list[str] | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Verifies that all the texts are visible, inside the element named by `ref` when there is one."""
        by_name("verify_list_visible", "items=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/VerifyListVisible", given(items=items, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def verify_text_visible(self, text: str, *, timeout_ms: int | None = None) -> ActionResult:
        """Verifies that a person can see a text: not hidden, covered, cut off or transparent."""
        response = self._call("trailblaze.v1.WebCommands/VerifyTextVisible", given(text=text, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def verify_value(self, expected: str, *, type: Literal["TEXT", "VALUE", "ATTRIBUTE"] | None = None, attribute: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Verifies what an element shows."""
        response = self._call("trailblaze.v1.WebCommands/VerifyValue", given(expected=expected, type=type, attribute=attribute, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def wait(self, seconds: int | None = None) -> ActionResult:
        """Waits 1 to 30 seconds."""
        response = self._call("trailblaze.v1.WebCommands/Wait", given(seconds=seconds))
        return cast(ActionResult, response)

    def wait_for_download(self, *unnamed: NoReturn, name: str | None = None, timeout_ms: int | None = None) -> WebWaitForDownloadResponse:
        """Waits until a download has completed, optionally one with a given name, and fails when none does."""
        by_name("wait_for_download", "name=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.WebCommands/WaitForDownload", given(name=name, timeout_ms=timeout_ms))
        return cast(WebWaitForDownloadResponse, response)

    def wait_for_url(self, pattern: str, *, timeout_ms: int | None = None) -> WebWaitForUrlResponse:
        """Waits until the URL of the active tab matches a regular expression, and returns the URL."""
        response = self._call("trailblaze.v1.WebCommands/WaitForUrl", given(pattern=pattern, timeout_ms=timeout_ms))
        return cast(WebWaitForUrlResponse, response)


class AsyncWebCommands:
    """WebCommands is the backend of browsers. GetBackends says whether a device has it."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream

    async def click(self, selector: str | None = None, *, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Clicks the element that a CSS selector matches; several that can be seen are an error."""
        response = await self._call("trailblaze.v1.WebCommands/Click", given(selector=selector, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def evaluate_js(self, script: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None) -> Any:
        """Runs JavaScript in the page and returns what it gives as JSON."""
        response = await self._call("trailblaze.v1.WebCommands/EvaluateJs", given(script=script, ref=ref, node_selector=node_selector, fingerprint=fingerprint))
        return response.get("result")

    async def fill(self, value: str, *, selector: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Sets the field that a CSS selector matches to a value and reads it back."""
        response = await self._call("trailblaze.v1.WebCommands/Fill", given(value=value, selector=selector, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def navigate(self, url: str, *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a URL and waits until the page has settled."""
        response = await self._call("trailblaze.v1.WebCommands/Navigate", given(url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def wait_for_selector(self, selector: str | None = None, *, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Waits until an element that the CSS selector matches is visible, and fails when that does not happen in time."""
        response = await self._call("trailblaze.v1.WebCommands/WaitForSelector", given(selector=selector, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def apply_cookies(self, cookies_json: str | None = None) -> ActionResult:
        """Sets cookies: a JSON list of them, or a whole storage state."""
        response = await self._call("trailblaze.v1.WebCommands/ApplyCookies", given(cookies_json=cookies_json))
        return cast(ActionResult, response)

    async def assert_network_event(self, event_name: str, *, url: str | None = None, timeout_ms: int | None = None) -> WebAssertNetworkEventResponse:
        """Waits until a request reports an analytics event: its name must stand, as a whole word, in the URL or the body of the request."""
        response = await self._call("trailblaze.v1.WebCommands/AssertNetworkEvent", given(event_name=event_name, url=url, timeout_ms=timeout_ms))
        return cast(WebAssertNetworkEventResponse, response)

    async def clear(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Empties a field."""
        by_name("clear", "ref=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Clear", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def clear_routes(self) -> ActionResult:
        """Ends all mocks: requests go to the network again."""
        response = await self._call("trailblaze.v1.WebCommands/ClearRoutes", given())
        return cast(ActionResult, response)

    async def web_click(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, button: Literal["left", "right", "middle"] | None = None, count: int | None = None, modifiers: list[str] | None = None, position: "Position" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Clicks an element, as a person would: it waits until the element is there, in view, still, enabled and not covered, then clicks its middle once."""
        by_name("web_click", "ref=…, node_selector=…, fingerprint=…, button=…, count=…, modifiers=…, position=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/WebClick", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, button=button, count=count, modifiers=modifiers, position=position, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def close_tab(self, *unnamed: NoReturn, tab: str | None = None, index: int | None = None, url: str | None = None, title: str | None = None) -> ActionResult:
        """Closes a tab: the active one, or one named as for `web_switchTab`."""
        by_name("close_tab", "tab=…, index=…, url=…, title=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/CloseTab", given(tab=tab, index=index, url=url, title=title))
        return cast(ActionResult, response)

    async def console(self, *unnamed: NoReturn, level: Literal["all", "warning", "error"] | None = None, since: int | None = None, limit: int | None = None) -> WebConsoleResponse:
        """Shows what the page logged to the console, and its uncaught errors, and the requests that failed."""
        by_name("console", "level=…, since=…, limit=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Console", given(level=level, since=since, limit=limit))
        return cast(WebConsoleResponse, response)

    async def current_url(self) -> WebCurrentUrlResponse:
        """Tells the URL of the active tab."""
        response = await self._call("trailblaze.v1.WebCommands/CurrentUrl", given())
        return cast(WebCurrentUrlResponse, response)

    async def dialogs(self) -> WebDialogsResponse:
        """Lists the dialogs that came up so far, with their texts and how they were answered."""
        response = await self._call("trailblaze.v1.WebCommands/Dialogs", given())
        return cast(WebDialogsResponse, response)

    async def downloads(self) -> WebDownloadsResponse:
        """Lists the files that were downloaded so far, by name, with size and state."""
        response = await self._call("trailblaze.v1.WebCommands/Downloads", given())
        return cast(WebDownloadsResponse, response)

    async def drag(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, to_ref: str | None = None, to_node_selector: dict[str, Any] | None = None, to_fingerprint: "ToFingerprint" | None = None, place: Literal["before", "after", "into"] | None = None, dx: float | None = None, dy: float | None = None, duration_ms: int | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Drags an element with the mouse and drops it: onto another element (`toRef`), `before` or `after` it in its list (`place`), or `dx` and `dy` pixels away."""
        by_name("drag", "ref=…, node_selector=…, fingerprint=…, to_ref=…, to_node_selector=…, to_fingerprint=…, place=…, dx=…, dy=…, duration_ms=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Drag", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, to_ref=to_ref, to_node_selector=to_node_selector, to_fingerprint=to_fingerprint, place=place, dx=dx, dy=dy, duration_ms=duration_ms, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def emulate(self, *unnamed: NoReturn, device: str | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Makes the browser behave like another device (size, touch, user agent), such as `iPhone 14`."""
        by_name("emulate", "device=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Emulate", given(device=device, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def evaluate(self, script: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None) -> WebEvaluateResponse:
        """Runs JavaScript in the page and returns what it gives as JSON."""
        response = await self._call("trailblaze.v1.WebCommands/Evaluate", given(script=script, ref=ref, node_selector=node_selector, fingerprint=fingerprint))
        return cast(WebEvaluateResponse, response)

    async def fill_secret(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, value: str | None = None, name: str | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Enters a password or token into a field."""
        by_name("fill_secret", "ref=…, node_selector=…, fingerprint=…, value=…, name=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/FillSecret", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, value=value, name=name, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def get_storage_state(self) -> WebGetStorageStateResponse:
        """Returns the login state of the session, cookies and local storage, in the form that `web_setStorageState` and Playwright read."""
        response = await self._call("trailblaze.v1.WebCommands/GetStorageState", given())
        return cast(WebGetStorageStateResponse, response)

    async def handle_dialog(self, accept: bool, *, answer: str | None = None) -> ActionResult:
        """Answers the dialog (alert, confirm, prompt) that is open because the policy is `keep`: `accept: true` is OK, `answer` is the text for a prompt."""
        response = await self._call("trailblaze.v1.WebCommands/HandleDialog", given(accept=accept, answer=answer))
        return cast(ActionResult, response)

    async def hover(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Moves the mouse onto an element and leaves it there, so that menus and hints that show on hover come up."""
        by_name("hover", "ref=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Hover", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def list_frames(self) -> WebListFramesResponse:
        """Lists the frames of the page."""
        response = await self._call("trailblaze.v1.WebCommands/ListFrames", given())
        return cast(WebListFramesResponse, response)

    async def list_tabs(self) -> WebListTabsResponse:
        """Lists the open tabs and popups with their ids."""
        response = await self._call("trailblaze.v1.WebCommands/ListTabs", given())
        return cast(WebListTabsResponse, response)

    async def mock_route(self, pattern: str, *, method: str | None = None, status: int | None = None, headers: dict[str, str] | None = None, body: str | None = None, abort: bool | None = None, times: int | None = None) -> ActionResult:
        """Answers requests whose URL matches a glob instead of sending them: with a status, headers and a body, or by failing them."""
        response = await self._call("trailblaze.v1.WebCommands/MockRoute", given(pattern=pattern, method=method, status=status, headers=headers, body=body, abort=abort, times=times))
        return cast(ActionResult, response)

    async def web_navigate(self, *unnamed: NoReturn, action: Literal["GOTO", "BACK", "FORWARD", "RELOAD"] | None = None, url: str | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a URL, goes BACK or FORWARD in the history, or RELOADs the page, and waits until the page has settled."""
        by_name("web_navigate", "action=…, url=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/WebNavigate", given(action=action, url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def new_tab(self, *unnamed: NoReturn, url: str | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Opens a tab, optionally with a URL, and makes it the active one."""
        by_name("new_tab", "url=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/NewTab", given(url=url, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def press_key(self, key: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Presses a key or a chord: `Enter`, `Escape`, `ArrowDown`, `Control+a`, `Shift+Tab`."""
        response = await self._call("trailblaze.v1.WebCommands/PressKey", given(key=key, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def request_details(self, include: list[str] | None = None) -> WebRequestDetailsResponse:
        """Shows the page with details that a snapshot leaves out: BOUNDS (where elements are, px), CSS_SELECTORS, OFFSCREEN_ELEMENTS, OCCLUDED_ELEMENTS."""
        response = await self._call("trailblaze.v1.WebCommands/RequestDetails", given(include=include))
        return cast(WebRequestDetailsResponse, response)

    async def requests(self, *unnamed: NoReturn, filter: str | None = None, type: str | None = None, failed: bool | None = None, since: int | None = None, limit: int | None = None) -> WebRequestsResponse:
        """Lists the network requests of the page, newest last, with status and errors."""
        by_name("requests", "filter=…, type=…, failed=…, since=…, limit=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Requests", given(filter=filter, type=type, failed=failed, since=since, limit=limit))
        return cast(WebRequestsResponse, response)

    async def resize(self, width: int, height: int, *, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Gives the viewport another size."""
        response = await self._call("trailblaze.v1.WebCommands/Resize", given(width=width, height=height, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def scroll(self, *unnamed: NoReturn, direction: Literal["UP", "DOWN", "LEFT", "RIGHT"] | None = None, amount: int | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Scrolls the page, or the container that holds the element named by `ref`, by `amount` px."""
        by_name("scroll", "direction=…, amount=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Scroll", given(direction=direction, amount=amount, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def select_option(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, values: list[str] | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Chooses options of a select, named by their label, value or index, and reads back that they are chosen."""
        by_name("select_option", "ref=…, node_selector=…, fingerprint=…, values=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/SelectOption", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, values=values, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def set_checked(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, checked: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Brings a checkbox, radio button or switch to a state."""
        by_name("set_checked", "ref=…, node_selector=…, fingerprint=…, checked=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/SetChecked", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, checked=checked, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def set_dialog_policy(self, policy: Literal["accept", "dismiss", "keep", "default"], *, answer: str | None = None, once: bool | None = None) -> ActionResult:
        """Says how dialogs are answered when they come up."""
        response = await self._call("trailblaze.v1.WebCommands/SetDialogPolicy", given(policy=policy, answer=answer, once=once))
        return cast(ActionResult, response)

    async def set_storage_state(self, state: Any) -> ActionResult:
        """Restores a login state: cookies and local storage, as `web_getStorageState` returns them."""
        response = await self._call("trailblaze.v1.WebCommands/SetStorageState", given(state=state))
        return cast(ActionResult, response)

    async def snapshot(self, *unnamed: NoReturn, screen_name: str | None = None, detail: list[str] | None = None, max_tokens: int | None = None, find: str | None = None, scope: str | None = None, page: int | None = None, changes: bool | None = None, screenshot: bool | None = None) -> WebSnapshotResponse:
        """Shows the page as text: its elements with role, name, state and value, each that can be acted on with a `ref` such as e5."""
        by_name("snapshot", "screen_name=…, detail=…, max_tokens=…, find=…, scope=…, page=…, changes=…, screenshot=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/Snapshot", given(screen_name=screen_name, detail=detail, max_tokens=max_tokens, find=find, scope=scope, page=page, changes=changes, screenshot=screenshot))
        return cast(WebSnapshotResponse, response)

    async def switch_tab(self, *unnamed: NoReturn, tab: str | None = None, index: int | None = None, url: str | None = None, title: str | None = None) -> ActionResult:
        """Makes another tab the active one."""
        by_name("switch_tab", "tab=…, index=…, url=…, title=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/SwitchTab", given(tab=tab, index=index, url=url, title=title))
        return cast(ActionResult, response)

    async def type(self, text: str, *, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, clear_first: bool | None = None, keys: bool | None = None, submit: bool | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Enters text into a field and reads it back."""
        response = await self._call("trailblaze.v1.WebCommands/Type", given(text=text, ref=ref, node_selector=node_selector, fingerprint=fingerprint, clear_first=clear_first, keys=keys, submit=submit, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def upload_file(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, paths: list[str] | None = None, timeout_ms: int | None = None, effect: Literal["none"] | None = None, expect_status: int | None = None, expect_origin: str | None = None) -> ActionResult:
        """Gives files to a file input, or to the file chooser that clicking the element opens."""
        by_name("upload_file", "ref=…, node_selector=…, fingerprint=…, paths=…, timeout_ms=…, effect=…, expect_status=…, expect_origin=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/UploadFile", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, paths=paths, timeout_ms=timeout_ms, effect=effect, expect_status=expect_status, expect_origin=expect_origin))
        return cast(ActionResult, response)

    async def verify_element_visible(self, *unnamed: NoReturn, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Verifies that a person can see an element, scrolling it into view when needed."""
        by_name("verify_element_visible", "ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/VerifyElementVisible", given(ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def verify_list_visible(self, *unnamed: NoReturn, items: list[str] | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Verifies that all the texts are visible, inside the element named by `ref` when there is one."""
        by_name("verify_list_visible", "items=…, ref=…, node_selector=…, fingerprint=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/VerifyListVisible", given(items=items, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def verify_text_visible(self, text: str, *, timeout_ms: int | None = None) -> ActionResult:
        """Verifies that a person can see a text: not hidden, covered, cut off or transparent."""
        response = await self._call("trailblaze.v1.WebCommands/VerifyTextVisible", given(text=text, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def verify_value(self, expected: str, *, type: Literal["TEXT", "VALUE", "ATTRIBUTE"] | None = None, attribute: str | None = None, ref: str | None = None, node_selector: dict[str, Any] | None = None, fingerprint: "Fingerprint" | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Verifies what an element shows."""
        response = await self._call("trailblaze.v1.WebCommands/VerifyValue", given(expected=expected, type=type, attribute=attribute, ref=ref, node_selector=node_selector, fingerprint=fingerprint, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def wait(self, seconds: int | None = None) -> ActionResult:
        """Waits 1 to 30 seconds."""
        response = await self._call("trailblaze.v1.WebCommands/Wait", given(seconds=seconds))
        return cast(ActionResult, response)

    async def wait_for_download(self, *unnamed: NoReturn, name: str | None = None, timeout_ms: int | None = None) -> WebWaitForDownloadResponse:
        """Waits until a download has completed, optionally one with a given name, and fails when none does."""
        by_name("wait_for_download", "name=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.WebCommands/WaitForDownload", given(name=name, timeout_ms=timeout_ms))
        return cast(WebWaitForDownloadResponse, response)

    async def wait_for_url(self, pattern: str, *, timeout_ms: int | None = None) -> WebWaitForUrlResponse:
        """Waits until the URL of the active tab matches a regular expression, and returns the URL."""
        response = await self._call("trailblaze.v1.WebCommands/WaitForUrl", given(pattern=pattern, timeout_ms=timeout_ms))
        return cast(WebWaitForUrlResponse, response)


class DesktopCommands:
    """DesktopCommands is the backend of desktop programs. GetBackends says whether a device has it."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream


class AsyncDesktopCommands:
    """DesktopCommands is the backend of desktop programs. GetBackends says whether a device has it."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream


class ManagementCommands:
    """ManagementCommands manages devices, sessions, trails and settings. Its commands need no device."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream

    def add_tool_category(self, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"], *, device_id: str | None = None, session_id: str | None = None) -> AddToolCategoryResponse:
        """Adds a category of tools to the list of this session."""
        response = self._call("trailblaze.v1.ManagementCommands/AddToolCategory", given(category=category, device_id=device_id, session_id=session_id))
        return cast(AddToolCategoryResponse, response)

    def await_screen(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, seen: str | None = None) -> AwaitScreenResponse:
        """Waits until the screen shows something else than before, without a turn at the device: others act on it meanwhile."""
        by_name("await_screen", "device_id=…, session_id=…, seen=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/AwaitScreen", given(device_id=device_id, session_id=session_id, seen=seen))
        return cast(AwaitScreenResponse, response)

    def cancel(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, call_id: str | None = None, device: str | None = None) -> ActionResult:
        """Ends what this session runs: one call, what runs on one device, or all."""
        by_name("cancel", "device_id=…, session_id=…, call_id=…, device=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/Cancel", given(device_id=device_id, session_id=session_id, call_id=call_id, device=device))
        return cast(ActionResult, response)

    def check_tool(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, name: str | None = None, args: dict[str, Any] | None = None, device: str | None = None) -> ActionResult:
        """Checks a tool of the workspace: whether its file makes a tool, and what it is."""
        by_name("check_tool", "device_id=…, session_id=…, name=…, args=…, device=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/CheckTool", given(device_id=device_id, session_id=session_id, name=name, args=args, device=device))
        return cast(ActionResult, response)

    def clear_agent_metrics(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ActionResult:
        """Begins counting anew for this session."""
        by_name("clear_agent_metrics", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/ClearAgentMetrics", given(device_id=device_id, session_id=session_id))
        return cast(ActionResult, response)

    def config(self, action: Literal["GET", "SET", "LIST"], *, device_id: str | None = None, session_id: str | None = None, key: str | None = None, value: str | None = None) -> ConfigResponse:
        """Reads and changes settings."""
        response = self._call("trailblaze.v1.ManagementCommands/Config", given(action=action, device_id=device_id, session_id=session_id, key=key, value=value))
        return cast(ConfigResponse, response)

    def configure_session(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, mode: Literal["MCP_CLIENT_LIKE_GOOSE_AS_AGENT", "TRAILBLAZE_AGENT_WHILE_LOOP", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "TRAILBLAZE_AGENT_RECURSIVE_MCP", "MCP_CLIENT_AS_AGENT", "TRAILBLAZE_AS_AGENT"] | None = None, screenshot_format: Literal["IMAGE_CONTENT", "NONE"] | None = None, auto_include_screenshot: bool | None = None, view_hierarchy_verbosity: Literal["MINIMAL", "STANDARD", "FULL"] | None = None, llm_call_strategy: Literal["DIRECT", "MCP_SAMPLING"] | None = None, max_tokens: int | None = None, target_app: str | None = None, tool_prefix: str | None = None) -> ConfigureSessionResponse:
        """Changes several settings of this session at once, all or none."""
        by_name("configure_session", "device_id=…, session_id=…, mode=…, screenshot_format=…, auto_include_screenshot=…, view_hierarchy_verbosity=…, llm_call_strategy=…, max_tokens=…, target_app=…, tool_prefix=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/ConfigureSession", given(device_id=device_id, session_id=session_id, mode=mode, screenshot_format=screenshot_format, auto_include_screenshot=auto_include_screenshot, view_hierarchy_verbosity=view_hierarchy_verbosity, llm_call_strategy=llm_call_strategy, max_tokens=max_tokens, target_app=target_app, tool_prefix=tool_prefix))
        return cast(ConfigureSessionResponse, response)

    def connect_to_device(self, trailblaze_device_id: str, *, device_id: str | None = None, session_id: str | None = None) -> ConnectToDeviceResponse:
        """Connects this session to a device, as `device` with CONNECT does: later calls go there."""
        response = self._call("trailblaze.v1.ManagementCommands/ConnectToDevice", given(trailblaze_device_id=trailblaze_device_id, device_id=device_id, session_id=session_id))
        return cast(ConnectToDeviceResponse, response)

    def create_tool(self, name: str, content: str, *, device_id: str | None = None, session_id: str | None = None, kind: Literal["YAML", "TS"] | None = None, overwrite: bool | None = None) -> ActionResult:
        """Writes a tool into the workspace, so that a sequence of calls you repeat becomes one call: for you, in trails and for everybody else."""
        response = self._call("trailblaze.v1.ManagementCommands/CreateTool", given(name=name, content=content, device_id=device_id, session_id=session_id, kind=kind, overwrite=overwrite))
        return cast(ActionResult, response)

    def device(self, action: Literal["LIST", "CONNECT", "DISCONNECT", "CREATE_WEB", "INFO", "WEB", "ANDROID", "IOS", "RESERVE"], *, device_id: str | None = None, session_id: str | None = None, headless: bool | None = None, viewport: str | None = None, emulate: str | None = None, profile: str | None = None, permissions: list[str] | None = None, geolocation: str | None = None, storage_state: str | None = None, requires: list[str] | None = None, limit_ms: int | None = None, timeout_ms: int | None = None, hold: bool | None = None, detail: Literal["SUMMARY", "FULL"] | None = None) -> DeviceResponse:
        """Lists, connects and closes the devices that tools act on."""
        response = self._call("trailblaze.v1.ManagementCommands/Device", given(action=action, device_id=device_id, session_id=session_id, headless=headless, viewport=viewport, emulate=emulate, profile=profile, permissions=permissions, geolocation=geolocation, storage_state=storage_state, requires=requires, limit_ms=limit_ms, timeout_ms=timeout_ms, hold=hold, detail=detail))
        return cast(DeviceResponse, response)

    def enable_tool_categories(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, categories: list[str] | None = None) -> EnableToolCategoriesResponse:
        """Sets the categories of tools that this session sees, in place of those it had."""
        by_name("enable_tool_categories", "device_id=…, session_id=…, categories=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/EnableToolCategories", given(device_id=device_id, session_id=session_id, categories=categories))
        return cast(EnableToolCategoriesResponse, response)

    def end_session(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> EndSessionResponse:
        """Ends the live session, as `session` with STOP does."""
        by_name("end_session", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/EndSession", given(device_id=device_id, session_id=session_id))
        return cast(EndSessionResponse, response)

    def focus_on_category(self, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"], *, device_id: str | None = None, session_id: str | None = None) -> FocusOnCategoryResponse:
        """Lists the tools of one category only, besides those that manage the session."""
        response = self._call("trailblaze.v1.ManagementCommands/FocusOnCategory", given(category=category, device_id=device_id, session_id=session_id))
        return cast(FocusOnCategoryResponse, response)

    def get_agent_metrics(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ActionResult:
        """Shows how the tool calls of this session went: how many, how many failed, how long they took."""
        by_name("get_agent_metrics", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/GetAgentMetrics", given(device_id=device_id, session_id=session_id))
        return cast(ActionResult, response)

    def get_session_config(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> GetSessionConfigResponse:
        """Shows the settings of this session: mode, tool categories, device, target app, how the screen is told."""
        by_name("get_session_config", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/GetSessionConfig", given(device_id=device_id, session_id=session_id))
        return cast(GetSessionConfigResponse, response)

    def job(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, action: Literal["STATUS", "WAIT", "CANCEL", "LIST"] | None = None, id: str | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asks for work that outlasted its call."""
        by_name("job", "device_id=…, session_id=…, action=…, id=…, timeout_ms=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/Job", given(device_id=device_id, session_id=session_id, action=action, id=id, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    def list_tool_categories(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ListToolCategoriesResponse:
        """Lists the categories of tools, with how many tools each has and which are on for this session."""
        by_name("list_tool_categories", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/ListToolCategories", given(device_id=device_id, session_id=session_id))
        return cast(ListToolCategoriesResponse, response)

    def reload_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ReloadToolsResponse:
        """Reads the project's own tools again: YAML and TypeScript files, and the lists of its MCP servers."""
        by_name("reload_tools", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/ReloadTools", given(device_id=device_id, session_id=session_id))
        return cast(ReloadToolsResponse, response)

    def remove_tool_category(self, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"], *, device_id: str | None = None, session_id: str | None = None) -> RemoveToolCategoryResponse:
        """Takes a category of tools off the list of this session."""
        response = self._call("trailblaze.v1.ManagementCommands/RemoveToolCategory", given(category=category, device_id=device_id, session_id=session_id))
        return cast(RemoveToolCategoryResponse, response)

    def run_prompt(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, steps: list[str] | None = None, prompt: str | None = None) -> ActionResult:
        """Gives a task in plain language to the agent of the language model that is configured, and waits until it is done."""
        by_name("run_prompt", "device_id=…, session_id=…, steps=…, prompt=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/RunPrompt", given(device_id=device_id, session_id=session_id, steps=steps, prompt=prompt))
        return cast(ActionResult, response)

    def session(self, action: Literal["START", "STOP", "SAVE", "INFO", "LIST", "ARTIFACTS", "RECORDING", "DELETE"], *, device_id: str | None = None, session_id: str | None = None, title: str | None = None, id: str | None = None, actors: dict[str, str] | None = None, path: str | None = None, overwrite: bool | None = None, limit: int | None = None, filter: str | None = None) -> SessionResponse:
        """Records what is done on the device, from the first action on."""
        response = self._call("trailblaze.v1.ManagementCommands/Session", given(action=action, device_id=device_id, session_id=session_id, title=title, id=id, actors=actors, path=path, overwrite=overwrite, limit=limit, filter=filter))
        return cast(SessionResponse, response)

    def set_auto_include_screenshot(self, enabled: bool, *, device_id: str | None = None, session_id: str | None = None) -> SetAutoIncludeScreenshotResponse:
        """Adds a picture to the result of every action, or stops doing so, for this session."""
        response = self._call("trailblaze.v1.ManagementCommands/SetAutoIncludeScreenshot", given(enabled=enabled, device_id=device_id, session_id=session_id))
        return cast(SetAutoIncludeScreenshotResponse, response)

    def set_llm_call_strategy(self, strategy: Literal["DIRECT", "MCP_SAMPLING"], *, device_id: str | None = None, session_id: str | None = None) -> SetLlmCallStrategyResponse:
        """Sets whose model is asked in the modes that think: the one configured here (DIRECT) or the client's own (MCP_SAMPLING)."""
        response = self._call("trailblaze.v1.ManagementCommands/SetLlmCallStrategy", given(strategy=strategy, device_id=device_id, session_id=session_id))
        return cast(SetLlmCallStrategyResponse, response)

    def set_mode(self, mode: Literal["MCP_CLIENT_LIKE_GOOSE_AS_AGENT", "TRAILBLAZE_AGENT_WHILE_LOOP", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "TRAILBLAZE_AGENT_RECURSIVE_MCP", "MCP_CLIENT_AS_AGENT", "TRAILBLAZE_AS_AGENT"], *, device_id: str | None = None, session_id: str | None = None) -> SetModeResponse:
        """Sets who decides: in MCP_CLIENT_AS_AGENT you do, with these tools, and no model is needed here; in the other modes tasks are given to `runPrompt`."""
        response = self._call("trailblaze.v1.ManagementCommands/SetMode", given(mode=mode, device_id=device_id, session_id=session_id))
        return cast(SetModeResponse, response)

    def set_screenshot_format(self, format: Literal["IMAGE_CONTENT", "NONE"], *, device_id: str | None = None, session_id: str | None = None) -> SetScreenshotFormatResponse:
        """Sets how pictures come with results, for this session."""
        response = self._call("trailblaze.v1.ManagementCommands/SetScreenshotFormat", given(format=format, device_id=device_id, session_id=session_id))
        return cast(SetScreenshotFormatResponse, response)

    def set_target_app(self, app_target_id: str, *, device_id: str | None = None, session_id: str | None = None) -> SetTargetAppResponse:
        """Sets the app under test for this session; its own tools are added to the list."""
        response = self._call("trailblaze.v1.ManagementCommands/SetTargetApp", given(app_target_id=app_target_id, device_id=device_id, session_id=session_id))
        return cast(SetTargetAppResponse, response)

    def set_view_hierarchy_verbosity(self, verbosity: Literal["MINIMAL", "STANDARD", "FULL"], *, device_id: str | None = None, session_id: str | None = None) -> SetViewHierarchyVerbosityResponse:
        """Sets how much of the screen results tell after an action, for this session."""
        response = self._call("trailblaze.v1.ManagementCommands/SetViewHierarchyVerbosity", given(verbosity=verbosity, device_id=device_id, session_id=session_id))
        return cast(SetViewHierarchyVerbosityResponse, response)

    def status(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, all: bool | None = None) -> StatusResponse:
        """Shows what this session runs and on which devices; with `all` what everybody runs."""
        by_name("status", "device_id=…, session_id=…, all=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/Status", given(device_id=device_id, session_id=session_id, all=all))
        return cast(StatusResponse, response)

    def switch_target_app(self, app_target_id: str, *, device_id: str | None = None, session_id: str | None = None) -> SwitchTargetAppResponse:
        """The older name of `setTargetApp`."""
        response = self._call("trailblaze.v1.ManagementCommands/SwitchTargetApp", given(app_target_id=app_target_id, device_id=device_id, session_id=session_id))
        return cast(SwitchTargetAppResponse, response)

    def switch_tool_set(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, categories: list[str] | None = None, preset: Literal["default", "minimal", "standard", "testing", "all"] | None = None) -> SwitchToolSetResponse:
        """Changes which tools an agent works with: categories, or a preset."""
        by_name("switch_tool_set", "device_id=…, session_id=…, categories=…, preset=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/SwitchToolSet", given(device_id=device_id, session_id=session_id, categories=categories, preset=preset))
        return cast(SwitchToolSetResponse, response)

    def toolbox(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, name: str | None = None, search: str | None = None, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"] | None = None, platform: Literal["web", "android", "ios"] | None = None, detail: bool | None = None) -> ToolboxResponse:
        """Finds tools, listed or not."""
        by_name("toolbox", "device_id=…, session_id=…, name=…, search=…, category=…, platform=…, detail=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/Toolbox", given(device_id=device_id, session_id=session_id, name=name, search=search, category=category, platform=platform, detail=detail))
        return cast(ToolboxResponse, response)

    def trail(self, action: Literal["LIST", "RUN", "SAVE", "START", "END", "VALIDATE"], *, device_id: str | None = None, session_id: str | None = None, name: str | None = None, file: str | None = None, yaml: str | None = None, args: dict[str, str] | None = None, memory: dict[str, str] | None = None, from_: int | None = None, to: int | None = None, device: str | None = None, filter: str | None = None, page: int | None = None, overwrite: bool | None = None) -> ActionResult:
        """Lists, plays, checks and records trails: files of steps with recorded calls, in the workspace."""
        response = self._call("trailblaze.v1.ManagementCommands/Trail", given(action=action, device_id=device_id, session_id=session_id, name=name, file=file, yaml=yaml, args=args, memory=memory, from_=from_, to=to, device=device, filter=filter, page=page, overwrite=overwrite))
        return cast(ActionResult, response)

    def trail_edit(self, op: Literal["GET", "INSERT", "REPLACE", "DELETE", "MOVE", "CLEAR_RECORDING"], name: str, *, device_id: str | None = None, session_id: str | None = None, index: int | None = None, position: int | None = None, count: int | None = None, prompt: str | None = None, step_type: Literal["step", "verify"] | None = None, platform: str | None = None) -> TrailEditResponse:
        """Edits the steps of a trail file; comments and everything else in it stay as they are."""
        response = self._call("trailblaze.v1.ManagementCommands/TrailEdit", given(op=op, name=name, device_id=device_id, session_id=session_id, index=index, position=position, count=count, prompt=prompt, step_type=step_type, platform=platform))
        return cast(TrailEditResponse, response)

    def use_minimal_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> UseMinimalToolsResponse:
        """Lists the fewest tools that drive a page: acting on elements, and looking."""
        by_name("use_minimal_tools", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/UseMinimalTools", given(device_id=device_id, session_id=session_id))
        return cast(UseMinimalToolsResponse, response)

    def use_standard_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> UseStandardToolsResponse:
        """Lists the tools of everyday driving: acting, going places, looking."""
        by_name("use_standard_tools", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/UseStandardTools", given(device_id=device_id, session_id=session_id))
        return cast(UseStandardToolsResponse, response)

    def use_testing_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> UseTestingToolsResponse:
        """Lists the tools for writing tests: acting, looking, checking, remembering."""
        by_name("use_testing_tools", "device_id=…, session_id=…", unnamed)
        response = self._call("trailblaze.v1.ManagementCommands/UseTestingTools", given(device_id=device_id, session_id=session_id))
        return cast(UseTestingToolsResponse, response)


class AsyncManagementCommands:
    """ManagementCommands manages devices, sessions, trails and settings. Its commands need no device."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream

    async def add_tool_category(self, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"], *, device_id: str | None = None, session_id: str | None = None) -> AddToolCategoryResponse:
        """Adds a category of tools to the list of this session."""
        response = await self._call("trailblaze.v1.ManagementCommands/AddToolCategory", given(category=category, device_id=device_id, session_id=session_id))
        return cast(AddToolCategoryResponse, response)

    async def await_screen(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, seen: str | None = None) -> AwaitScreenResponse:
        """Waits until the screen shows something else than before, without a turn at the device: others act on it meanwhile."""
        by_name("await_screen", "device_id=…, session_id=…, seen=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/AwaitScreen", given(device_id=device_id, session_id=session_id, seen=seen))
        return cast(AwaitScreenResponse, response)

    async def cancel(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, call_id: str | None = None, device: str | None = None) -> ActionResult:
        """Ends what this session runs: one call, what runs on one device, or all."""
        by_name("cancel", "device_id=…, session_id=…, call_id=…, device=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/Cancel", given(device_id=device_id, session_id=session_id, call_id=call_id, device=device))
        return cast(ActionResult, response)

    async def check_tool(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, name: str | None = None, args: dict[str, Any] | None = None, device: str | None = None) -> ActionResult:
        """Checks a tool of the workspace: whether its file makes a tool, and what it is."""
        by_name("check_tool", "device_id=…, session_id=…, name=…, args=…, device=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/CheckTool", given(device_id=device_id, session_id=session_id, name=name, args=args, device=device))
        return cast(ActionResult, response)

    async def clear_agent_metrics(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ActionResult:
        """Begins counting anew for this session."""
        by_name("clear_agent_metrics", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/ClearAgentMetrics", given(device_id=device_id, session_id=session_id))
        return cast(ActionResult, response)

    async def config(self, action: Literal["GET", "SET", "LIST"], *, device_id: str | None = None, session_id: str | None = None, key: str | None = None, value: str | None = None) -> ConfigResponse:
        """Reads and changes settings."""
        response = await self._call("trailblaze.v1.ManagementCommands/Config", given(action=action, device_id=device_id, session_id=session_id, key=key, value=value))
        return cast(ConfigResponse, response)

    async def configure_session(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, mode: Literal["MCP_CLIENT_LIKE_GOOSE_AS_AGENT", "TRAILBLAZE_AGENT_WHILE_LOOP", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "TRAILBLAZE_AGENT_RECURSIVE_MCP", "MCP_CLIENT_AS_AGENT", "TRAILBLAZE_AS_AGENT"] | None = None, screenshot_format: Literal["IMAGE_CONTENT", "NONE"] | None = None, auto_include_screenshot: bool | None = None, view_hierarchy_verbosity: Literal["MINIMAL", "STANDARD", "FULL"] | None = None, llm_call_strategy: Literal["DIRECT", "MCP_SAMPLING"] | None = None, max_tokens: int | None = None, target_app: str | None = None, tool_prefix: str | None = None) -> ConfigureSessionResponse:
        """Changes several settings of this session at once, all or none."""
        by_name("configure_session", "device_id=…, session_id=…, mode=…, screenshot_format=…, auto_include_screenshot=…, view_hierarchy_verbosity=…, llm_call_strategy=…, max_tokens=…, target_app=…, tool_prefix=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/ConfigureSession", given(device_id=device_id, session_id=session_id, mode=mode, screenshot_format=screenshot_format, auto_include_screenshot=auto_include_screenshot, view_hierarchy_verbosity=view_hierarchy_verbosity, llm_call_strategy=llm_call_strategy, max_tokens=max_tokens, target_app=target_app, tool_prefix=tool_prefix))
        return cast(ConfigureSessionResponse, response)

    async def connect_to_device(self, trailblaze_device_id: str, *, device_id: str | None = None, session_id: str | None = None) -> ConnectToDeviceResponse:
        """Connects this session to a device, as `device` with CONNECT does: later calls go there."""
        response = await self._call("trailblaze.v1.ManagementCommands/ConnectToDevice", given(trailblaze_device_id=trailblaze_device_id, device_id=device_id, session_id=session_id))
        return cast(ConnectToDeviceResponse, response)

    async def create_tool(self, name: str, content: str, *, device_id: str | None = None, session_id: str | None = None, kind: Literal["YAML", "TS"] | None = None, overwrite: bool | None = None) -> ActionResult:
        """Writes a tool into the workspace, so that a sequence of calls you repeat becomes one call: for you, in trails and for everybody else."""
        response = await self._call("trailblaze.v1.ManagementCommands/CreateTool", given(name=name, content=content, device_id=device_id, session_id=session_id, kind=kind, overwrite=overwrite))
        return cast(ActionResult, response)

    async def device(self, action: Literal["LIST", "CONNECT", "DISCONNECT", "CREATE_WEB", "INFO", "WEB", "ANDROID", "IOS", "RESERVE"], *, device_id: str | None = None, session_id: str | None = None, headless: bool | None = None, viewport: str | None = None, emulate: str | None = None, profile: str | None = None, permissions: list[str] | None = None, geolocation: str | None = None, storage_state: str | None = None, requires: list[str] | None = None, limit_ms: int | None = None, timeout_ms: int | None = None, hold: bool | None = None, detail: Literal["SUMMARY", "FULL"] | None = None) -> DeviceResponse:
        """Lists, connects and closes the devices that tools act on."""
        response = await self._call("trailblaze.v1.ManagementCommands/Device", given(action=action, device_id=device_id, session_id=session_id, headless=headless, viewport=viewport, emulate=emulate, profile=profile, permissions=permissions, geolocation=geolocation, storage_state=storage_state, requires=requires, limit_ms=limit_ms, timeout_ms=timeout_ms, hold=hold, detail=detail))
        return cast(DeviceResponse, response)

    async def enable_tool_categories(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, categories: list[str] | None = None) -> EnableToolCategoriesResponse:
        """Sets the categories of tools that this session sees, in place of those it had."""
        by_name("enable_tool_categories", "device_id=…, session_id=…, categories=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/EnableToolCategories", given(device_id=device_id, session_id=session_id, categories=categories))
        return cast(EnableToolCategoriesResponse, response)

    async def end_session(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> EndSessionResponse:
        """Ends the live session, as `session` with STOP does."""
        by_name("end_session", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/EndSession", given(device_id=device_id, session_id=session_id))
        return cast(EndSessionResponse, response)

    async def focus_on_category(self, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"], *, device_id: str | None = None, session_id: str | None = None) -> FocusOnCategoryResponse:
        """Lists the tools of one category only, besides those that manage the session."""
        response = await self._call("trailblaze.v1.ManagementCommands/FocusOnCategory", given(category=category, device_id=device_id, session_id=session_id))
        return cast(FocusOnCategoryResponse, response)

    async def get_agent_metrics(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ActionResult:
        """Shows how the tool calls of this session went: how many, how many failed, how long they took."""
        by_name("get_agent_metrics", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/GetAgentMetrics", given(device_id=device_id, session_id=session_id))
        return cast(ActionResult, response)

    async def get_session_config(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> GetSessionConfigResponse:
        """Shows the settings of this session: mode, tool categories, device, target app, how the screen is told."""
        by_name("get_session_config", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/GetSessionConfig", given(device_id=device_id, session_id=session_id))
        return cast(GetSessionConfigResponse, response)

    async def job(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, action: Literal["STATUS", "WAIT", "CANCEL", "LIST"] | None = None, id: str | None = None, timeout_ms: int | None = None) -> ActionResult:
        """Asks for work that outlasted its call."""
        by_name("job", "device_id=…, session_id=…, action=…, id=…, timeout_ms=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/Job", given(device_id=device_id, session_id=session_id, action=action, id=id, timeout_ms=timeout_ms))
        return cast(ActionResult, response)

    async def list_tool_categories(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ListToolCategoriesResponse:
        """Lists the categories of tools, with how many tools each has and which are on for this session."""
        by_name("list_tool_categories", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/ListToolCategories", given(device_id=device_id, session_id=session_id))
        return cast(ListToolCategoriesResponse, response)

    async def reload_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> ReloadToolsResponse:
        """Reads the project's own tools again: YAML and TypeScript files, and the lists of its MCP servers."""
        by_name("reload_tools", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/ReloadTools", given(device_id=device_id, session_id=session_id))
        return cast(ReloadToolsResponse, response)

    async def remove_tool_category(self, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"], *, device_id: str | None = None, session_id: str | None = None) -> RemoveToolCategoryResponse:
        """Takes a category of tools off the list of this session."""
        response = await self._call("trailblaze.v1.ManagementCommands/RemoveToolCategory", given(category=category, device_id=device_id, session_id=session_id))
        return cast(RemoveToolCategoryResponse, response)

    async def run_prompt(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, steps: list[str] | None = None, prompt: str | None = None) -> ActionResult:
        """Gives a task in plain language to the agent of the language model that is configured, and waits until it is done."""
        by_name("run_prompt", "device_id=…, session_id=…, steps=…, prompt=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/RunPrompt", given(device_id=device_id, session_id=session_id, steps=steps, prompt=prompt))
        return cast(ActionResult, response)

    async def session(self, action: Literal["START", "STOP", "SAVE", "INFO", "LIST", "ARTIFACTS", "RECORDING", "DELETE"], *, device_id: str | None = None, session_id: str | None = None, title: str | None = None, id: str | None = None, actors: dict[str, str] | None = None, path: str | None = None, overwrite: bool | None = None, limit: int | None = None, filter: str | None = None) -> SessionResponse:
        """Records what is done on the device, from the first action on."""
        response = await self._call("trailblaze.v1.ManagementCommands/Session", given(action=action, device_id=device_id, session_id=session_id, title=title, id=id, actors=actors, path=path, overwrite=overwrite, limit=limit, filter=filter))
        return cast(SessionResponse, response)

    async def set_auto_include_screenshot(self, enabled: bool, *, device_id: str | None = None, session_id: str | None = None) -> SetAutoIncludeScreenshotResponse:
        """Adds a picture to the result of every action, or stops doing so, for this session."""
        response = await self._call("trailblaze.v1.ManagementCommands/SetAutoIncludeScreenshot", given(enabled=enabled, device_id=device_id, session_id=session_id))
        return cast(SetAutoIncludeScreenshotResponse, response)

    async def set_llm_call_strategy(self, strategy: Literal["DIRECT", "MCP_SAMPLING"], *, device_id: str | None = None, session_id: str | None = None) -> SetLlmCallStrategyResponse:
        """Sets whose model is asked in the modes that think: the one configured here (DIRECT) or the client's own (MCP_SAMPLING)."""
        response = await self._call("trailblaze.v1.ManagementCommands/SetLlmCallStrategy", given(strategy=strategy, device_id=device_id, session_id=session_id))
        return cast(SetLlmCallStrategyResponse, response)

    async def set_mode(self, mode: Literal["MCP_CLIENT_LIKE_GOOSE_AS_AGENT", "TRAILBLAZE_AGENT_WHILE_LOOP", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "TRAILBLAZE_AGENT_RECURSIVE_MCP", "MCP_CLIENT_AS_AGENT", "TRAILBLAZE_AS_AGENT"], *, device_id: str | None = None, session_id: str | None = None) -> SetModeResponse:
        """Sets who decides: in MCP_CLIENT_AS_AGENT you do, with these tools, and no model is needed here; in the other modes tasks are given to `runPrompt`."""
        response = await self._call("trailblaze.v1.ManagementCommands/SetMode", given(mode=mode, device_id=device_id, session_id=session_id))
        return cast(SetModeResponse, response)

    async def set_screenshot_format(self, format: Literal["IMAGE_CONTENT", "NONE"], *, device_id: str | None = None, session_id: str | None = None) -> SetScreenshotFormatResponse:
        """Sets how pictures come with results, for this session."""
        response = await self._call("trailblaze.v1.ManagementCommands/SetScreenshotFormat", given(format=format, device_id=device_id, session_id=session_id))
        return cast(SetScreenshotFormatResponse, response)

    async def set_target_app(self, app_target_id: str, *, device_id: str | None = None, session_id: str | None = None) -> SetTargetAppResponse:
        """Sets the app under test for this session; its own tools are added to the list."""
        response = await self._call("trailblaze.v1.ManagementCommands/SetTargetApp", given(app_target_id=app_target_id, device_id=device_id, session_id=session_id))
        return cast(SetTargetAppResponse, response)

    async def set_view_hierarchy_verbosity(self, verbosity: Literal["MINIMAL", "STANDARD", "FULL"], *, device_id: str | None = None, session_id: str | None = None) -> SetViewHierarchyVerbosityResponse:
        """Sets how much of the screen results tell after an action, for this session."""
        response = await self._call("trailblaze.v1.ManagementCommands/SetViewHierarchyVerbosity", given(verbosity=verbosity, device_id=device_id, session_id=session_id))
        return cast(SetViewHierarchyVerbosityResponse, response)

    async def status(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, all: bool | None = None) -> StatusResponse:
        """Shows what this session runs and on which devices; with `all` what everybody runs."""
        by_name("status", "device_id=…, session_id=…, all=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/Status", given(device_id=device_id, session_id=session_id, all=all))
        return cast(StatusResponse, response)

    async def switch_target_app(self, app_target_id: str, *, device_id: str | None = None, session_id: str | None = None) -> SwitchTargetAppResponse:
        """The older name of `setTargetApp`."""
        response = await self._call("trailblaze.v1.ManagementCommands/SwitchTargetApp", given(app_target_id=app_target_id, device_id=device_id, session_id=session_id))
        return cast(SwitchTargetAppResponse, response)

    async def switch_tool_set(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, categories: list[str] | None = None, preset: Literal["default", "minimal", "standard", "testing", "all"] | None = None) -> SwitchToolSetResponse:
        """Changes which tools an agent works with: categories, or a preset."""
        by_name("switch_tool_set", "device_id=…, session_id=…, categories=…, preset=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/SwitchToolSet", given(device_id=device_id, session_id=session_id, categories=categories, preset=preset))
        return cast(SwitchToolSetResponse, response)

    async def toolbox(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None, name: str | None = None, search: str | None = None, category: Literal["DEFAULT", "CORE_INTERACTION", "NAVIGATION", "OBSERVATION", "VERIFICATION", "MEMORY", "SESSION", "TRAIL", "DEVICE", "TABS", "FILES", "NETWORK", "STORAGE", "SCRIPT", "MOBILE", "PRIMITIVES", "BATCH", "AUTHORING", "CUSTOM", "SERVERS", "ALL"] | None = None, platform: Literal["web", "android", "ios"] | None = None, detail: bool | None = None) -> ToolboxResponse:
        """Finds tools, listed or not."""
        by_name("toolbox", "device_id=…, session_id=…, name=…, search=…, category=…, platform=…, detail=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/Toolbox", given(device_id=device_id, session_id=session_id, name=name, search=search, category=category, platform=platform, detail=detail))
        return cast(ToolboxResponse, response)

    async def trail(self, action: Literal["LIST", "RUN", "SAVE", "START", "END", "VALIDATE"], *, device_id: str | None = None, session_id: str | None = None, name: str | None = None, file: str | None = None, yaml: str | None = None, args: dict[str, str] | None = None, memory: dict[str, str] | None = None, from_: int | None = None, to: int | None = None, device: str | None = None, filter: str | None = None, page: int | None = None, overwrite: bool | None = None) -> ActionResult:
        """Lists, plays, checks and records trails: files of steps with recorded calls, in the workspace."""
        response = await self._call("trailblaze.v1.ManagementCommands/Trail", given(action=action, device_id=device_id, session_id=session_id, name=name, file=file, yaml=yaml, args=args, memory=memory, from_=from_, to=to, device=device, filter=filter, page=page, overwrite=overwrite))
        return cast(ActionResult, response)

    async def trail_edit(self, op: Literal["GET", "INSERT", "REPLACE", "DELETE", "MOVE", "CLEAR_RECORDING"], name: str, *, device_id: str | None = None, session_id: str | None = None, index: int | None = None, position: int | None = None, count: int | None = None, prompt: str | None = None, step_type: Literal["step", "verify"] | None = None, platform: str | None = None) -> TrailEditResponse:
        """Edits the steps of a trail file; comments and everything else in it stay as they are."""
        response = await self._call("trailblaze.v1.ManagementCommands/TrailEdit", given(op=op, name=name, device_id=device_id, session_id=session_id, index=index, position=position, count=count, prompt=prompt, step_type=step_type, platform=platform))
        return cast(TrailEditResponse, response)

    async def use_minimal_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> UseMinimalToolsResponse:
        """Lists the fewest tools that drive a page: acting on elements, and looking."""
        by_name("use_minimal_tools", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/UseMinimalTools", given(device_id=device_id, session_id=session_id))
        return cast(UseMinimalToolsResponse, response)

    async def use_standard_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> UseStandardToolsResponse:
        """Lists the tools of everyday driving: acting, going places, looking."""
        by_name("use_standard_tools", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/UseStandardTools", given(device_id=device_id, session_id=session_id))
        return cast(UseStandardToolsResponse, response)

    async def use_testing_tools(self, *unnamed: NoReturn, device_id: str | None = None, session_id: str | None = None) -> UseTestingToolsResponse:
        """Lists the tools for writing tests: acting, looking, checking, remembering."""
        by_name("use_testing_tools", "device_id=…, session_id=…", unnamed)
        response = await self._call("trailblaze.v1.ManagementCommands/UseTestingTools", given(device_id=device_id, session_id=session_id))
        return cast(UseTestingToolsResponse, response)


class SessionService:
    """SessionService reads what sessions have kept: events, artifacts, memory."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream

    def list_sessions(self) -> ListSessionsResponse:
        """Lists the sessions that are open."""
        response = self._call("trailblaze.v1.SessionService/ListSessions", given())
        return cast(ListSessionsResponse, response)

    def watch_events(self, session_id: str, *, after: str | None = None, no_follow: bool | None = None) -> Iterator[WatchEventsResponse]:
        """Streams the events of a session in order. It ends with the session. A client that lost its connection goes on after the last sequence number that it has read: no event is lost or sent twice."""
        return cast(Iterator[WatchEventsResponse], self._stream("trailblaze.v1.SessionService/WatchEvents", given(session_id=session_id, after=after, no_follow=no_follow)))

    def read_artifact(self, session_id: str, hash: str) -> Iterator[ReadArtifactResponse]:
        """Streams an artifact of a session: a picture, a capture, a long text."""
        return cast(Iterator[ReadArtifactResponse], self._stream("trailblaze.v1.SessionService/ReadArtifact", given(session_id=session_id, hash=hash)))

    def get_memory(self, session_id: str) -> GetMemoryResponse:
        """Reads the memory of an open session. Secrets are masked."""
        response = self._call("trailblaze.v1.SessionService/GetMemory", given(session_id=session_id))
        return cast(GetMemoryResponse, response)


class AsyncSessionService:
    """SessionService reads what sessions have kept: events, artifacts, memory."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream

    async def list_sessions(self) -> ListSessionsResponse:
        """Lists the sessions that are open."""
        response = await self._call("trailblaze.v1.SessionService/ListSessions", given())
        return cast(ListSessionsResponse, response)

    def watch_events(self, session_id: str, *, after: str | None = None, no_follow: bool | None = None) -> AsyncIterator[WatchEventsResponse]:
        """Streams the events of a session in order. It ends with the session. A client that lost its connection goes on after the last sequence number that it has read: no event is lost or sent twice."""
        return cast(AsyncIterator[WatchEventsResponse], self._stream("trailblaze.v1.SessionService/WatchEvents", given(session_id=session_id, after=after, no_follow=no_follow)))

    def read_artifact(self, session_id: str, hash: str) -> AsyncIterator[ReadArtifactResponse]:
        """Streams an artifact of a session: a picture, a capture, a long text."""
        return cast(AsyncIterator[ReadArtifactResponse], self._stream("trailblaze.v1.SessionService/ReadArtifact", given(session_id=session_id, hash=hash)))

    async def get_memory(self, session_id: str) -> GetMemoryResponse:
        """Reads the memory of an open session. Secrets are masked."""
        response = await self._call("trailblaze.v1.SessionService/GetMemory", given(session_id=session_id))
        return cast(GetMemoryResponse, response)


class ToolService:
    """ToolService calls any tool by its name: built in, of a workspace, or of an external server."""

    def __init__(self, call: Caller, stream: Streamer) -> None:
        self._call, self._stream = call, stream

    def call_tool(self, name: str, *, args: dict[str, Any] | None = None, args_json: str | None = None, texts: list[str] | None = None, whole: bool | None = None) -> CallToolResponse:
        """Calls a tool and waits for its end. The deadline and the cancellation of the request hold for the call."""
        response = self._call("trailblaze.v1.ToolService/CallTool", given(name=name, args=args, args_json=args_json, texts=texts, whole=whole))
        return cast(CallToolResponse, response)

    def watch_tool(self, name: str, *, args: dict[str, Any] | None = None, args_json: str | None = None, texts: list[str] | None = None, whole: bool | None = None) -> Iterator[WatchToolResponse]:
        """The same, with reports of its progress before the result."""
        return cast(Iterator[WatchToolResponse], self._stream("trailblaze.v1.ToolService/WatchTool", {"call": given(name=name, args=args, args_json=args_json, texts=texts, whole=whole)}))

    def list_tools(self) -> ListToolsResponse:
        """Lists the tools that the client may call."""
        response = self._call("trailblaze.v1.ToolService/ListTools", given())
        return cast(ListToolsResponse, response)

    def cancel_calls(self, *unnamed: NoReturn, client_id: str | None = None, device_id: str | None = None, call_id: str | None = None, job: str | None = None, all: bool | None = None, why: str | None = None) -> CancelCallsResponse:
        """Ends calls. It never waits for one."""
        by_name("cancel_calls", "client_id=…, device_id=…, call_id=…, job=…, all=…, why=…", unnamed)
        response = self._call("trailblaze.v1.ToolService/CancelCalls", given(client_id=client_id, device_id=device_id, call_id=call_id, job=job, all=all, why=why))
        return cast(CancelCallsResponse, response)

    def get_backends(self) -> GetBackendsResponse:
        """Says on which platform a device is, and which backends it has."""
        response = self._call("trailblaze.v1.ToolService/GetBackends", given())
        return cast(GetBackendsResponse, response)


class AsyncToolService:
    """ToolService calls any tool by its name: built in, of a workspace, or of an external server."""

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        self._call, self._stream = call, stream

    async def call_tool(self, name: str, *, args: dict[str, Any] | None = None, args_json: str | None = None, texts: list[str] | None = None, whole: bool | None = None) -> CallToolResponse:
        """Calls a tool and waits for its end. The deadline and the cancellation of the request hold for the call."""
        response = await self._call("trailblaze.v1.ToolService/CallTool", given(name=name, args=args, args_json=args_json, texts=texts, whole=whole))
        return cast(CallToolResponse, response)

    def watch_tool(self, name: str, *, args: dict[str, Any] | None = None, args_json: str | None = None, texts: list[str] | None = None, whole: bool | None = None) -> AsyncIterator[WatchToolResponse]:
        """The same, with reports of its progress before the result."""
        return cast(AsyncIterator[WatchToolResponse], self._stream("trailblaze.v1.ToolService/WatchTool", {"call": given(name=name, args=args, args_json=args_json, texts=texts, whole=whole)}))

    async def list_tools(self) -> ListToolsResponse:
        """Lists the tools that the client may call."""
        response = await self._call("trailblaze.v1.ToolService/ListTools", given())
        return cast(ListToolsResponse, response)

    async def cancel_calls(self, *unnamed: NoReturn, client_id: str | None = None, device_id: str | None = None, call_id: str | None = None, job: str | None = None, all: bool | None = None, why: str | None = None) -> CancelCallsResponse:
        """Ends calls. It never waits for one."""
        by_name("cancel_calls", "client_id=…, device_id=…, call_id=…, job=…, all=…, why=…", unnamed)
        response = await self._call("trailblaze.v1.ToolService/CancelCalls", given(client_id=client_id, device_id=device_id, call_id=call_id, job=job, all=all, why=why))
        return cast(CancelCallsResponse, response)

    async def get_backends(self) -> GetBackendsResponse:
        """Says on which platform a device is, and which backends it has."""
        response = await self._call("trailblaze.v1.ToolService/GetBackends", given())
        return cast(GetBackendsResponse, response)


class Device(TrailblazeCommands):
    """A device. A backend is None when the device is of another platform."""

    platform: str

    def __init__(self, call: Caller, stream: Streamer) -> None:
        super().__init__(call, stream)
        self.manage = ManagementCommands(call, stream)
        self.sessions = SessionService(call, stream)
        self.tools = ToolService(call, stream)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Ends the connections that it has."""

    @property
    def mobile(self) -> MobileCommands | None:
        return MobileCommands(self._call, self._stream) if self.platform in ["android", "ios"] else None

    @property
    def web(self) -> WebCommands | None:
        return WebCommands(self._call, self._stream) if self.platform in ["web"] else None

    @property
    def desktop(self) -> DesktopCommands | None:
        return DesktopCommands(self._call, self._stream) if self.platform in ["desktop"] else None


class AsyncDevice(AsyncTrailblazeCommands):
    """A device. A backend is None when the device is of another platform."""

    platform: str

    def __init__(self, call: AsyncCaller, stream: AsyncStreamer) -> None:
        super().__init__(call, stream)
        self.manage = AsyncManagementCommands(call, stream)
        self.sessions = AsyncSessionService(call, stream)
        self.tools = AsyncToolService(call, stream)

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @abstractmethod
    async def close(self) -> None:
        """Ends the connections that it has."""

    @property
    def mobile(self) -> AsyncMobileCommands | None:
        return AsyncMobileCommands(self._call, self._stream) if self.platform in ["android", "ios"] else None

    @property
    def web(self) -> AsyncWebCommands | None:
        return AsyncWebCommands(self._call, self._stream) if self.platform in ["web"] else None

    @property
    def desktop(self) -> AsyncDesktopCommands | None:
        return AsyncDesktopCommands(self._call, self._stream) if self.platform in ["desktop"] else None


__all__ = [
    "CallOptions",
    "CallInfo",
    "Content",
    "Image",
    "Observation",
    "ActionResult",
    "Failure",
    "NextCall",
    "Progress",
    "ToolResult",
    "CallContext",
    "CallDevice",
    "CallTarget",
    "AdbShellResponse",
    "AddToolCategoryResponse",
    "Categories",
    "AndroidAdbShellResponse",
    "AndroidSendBroadcastRequestExtras",
    "AskResponse",
    "Usage",
    "AskResponseJudged",
    "AskResponseJudgedUsage",
    "Plan",
    "Planned",
    "ToolTokens",
    "Fingerprint",
    "AwaitScreenResponse",
    "BatchRequestCalls",
    "CaptureScreenResponse",
    "Quality",
    "Dialog",
    "ConfigResponse",
    "Settings",
    "ConfigureSessionResponse",
    "ConnectToDeviceResponse",
    "Devices",
    "DeviceResponse",
    "DumpMemoryResponse",
    "EnableToolCategoriesResponse",
    "EndSessionResponse",
    "Sessions",
    "Saved",
    "Artifacts",
    "EvaluateJsResponse",
    "FindMatchesResponse",
    "Matches",
    "Bounds",
    "FocusOnCategoryResponse",
    "GetElementCountResponse",
    "GetElementTextResponse",
    "GetScreenshotResponse",
    "GetSessionConfigResponse",
    "HasTextResponse",
    "IsVisibleResponse",
    "ListToolCategoriesResponse",
    "MobileListInstalledAppsResponse",
    "MobileListInstalledAppsDetailedResponse",
    "MobileListInstalledAppsDetailedResponseApps",
    "ReloadToolsResponse",
    "RemoveToolCategoryResponse",
    "RepeatRequestWhile",
    "RepeatRequestUntil",
    "RequestDetailedViewHierarchyResponse",
    "SessionResponse",
    "SetAutoIncludeScreenshotResponse",
    "SetLlmCallStrategyResponse",
    "SetModeResponse",
    "SetScreenshotFormatResponse",
    "SetTargetAppResponse",
    "SetViewHierarchyVerbosityResponse",
    "StatusResponse",
    "StatusResponseCalls",
    "Jobs",
    "StepResponse",
    "StepResponseJudged",
    "StepResponseJudgedUsage",
    "SwitchTargetAppResponse",
    "SwitchToolSetResponse",
    "TakeSnapshotResponse",
    "ToolboxResponse",
    "Tools",
    "TrailEditResponse",
    "Steps",
    "UseMinimalToolsResponse",
    "UseStandardToolsResponse",
    "UseTestingToolsResponse",
    "VerifyResponse",
    "VerifyResponseJudged",
    "VerifyResponseJudgedUsage",
    "ViewHierarchyResponse",
    "WebAssertNetworkEventResponse",
    "Position",
    "WebConsoleResponse",
    "Messages",
    "WebCurrentUrlResponse",
    "WebDialogsResponse",
    "Dialogs",
    "WebDownloadsResponse",
    "Downloads",
    "ToFingerprint",
    "WebEvaluateResponse",
    "WebGetStorageStateResponse",
    "WebListFramesResponse",
    "Frames",
    "WebListTabsResponse",
    "Tabs",
    "WebRequestDetailsResponse",
    "WebRequestsResponse",
    "Requests",
    "WebSnapshotResponse",
    "WebWaitForDownloadResponse",
    "WebWaitForUrlResponse",
    "TrailblazeToolRegistry",
    "ToolMetadata",
    "GroupInfo",
    "ServerInfo",
    "ListSessionsResponse",
    "Session",
    "WatchEventsResponse",
    "Event",
    "ReadArtifactResponse",
    "GetMemoryResponse",
    "CallToolResponse",
    "WatchToolResponse",
    "ListToolsResponse",
    "Tool",
    "CancelCallsResponse",
    "GetBackendsResponse",
    "Backend",
]

// Of CoreServices, one function is asked for. See ../Foundation/Foundation.h.
#pragma once
#import <Foundation/Foundation.h>

extern CFArrayRef LSCopyApplicationURLsForBundleIdentifier(CFStringRef identifier, CFErrorRef *error);
